// Log sink with ONNX Runtime's severities. A Logger hands each line to a callback; without one, it writes to stderr.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "base/format.h"

namespace sdx {

enum class Severity : int { verbose = 0, info = 1, warning = 2, error = 3, fatal = 4 };

std::string_view name(Severity severity);
std::optional<Severity> severity_from_name(std::string_view text);

// The parameters of OrtLoggingFunction. Called from any thread, also from several at once.
using LogFunction = void (*)(void* param, Severity severity, const char* category, const char* id,
                             const char* code_location, const char* message);

class Logger {
 public:
  Logger(std::string id, Severity lowest, LogFunction function = nullptr, void* param = nullptr)
      : lowest_(lowest), function_(function), param_(param), id_(std::move(id)) {}
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  bool enabled(Severity severity) const { return severity >= lowest_.load(std::memory_order_relaxed); }
  Severity lowest() const { return lowest_.load(std::memory_order_relaxed); }
  void set_lowest(Severity severity) { lowest_.store(severity, std::memory_order_relaxed); }
  const std::string& id() const { return id_; }
  LogFunction function() const { return function_; }
  void* param() const { return param_; }

  // Never throws: a log line is lost sooner than a run fails for it.
  void write(Severity severity, std::string_view file, int line, std::string_view message,
             const char* category = "sardonyx") const noexcept;

 private:
  std::atomic<Severity> lowest_;
  LogFunction function_;
  void* param_;
  std::string id_;
};

// To stderr, from the severity of the knob `log_level` on. For what belongs to no session.
Logger& default_logger();

}  // namespace sdx

// SDX_LOG(logger, warning, "{} of {}", a, b): the arguments are not evaluated when the severity is filtered out.
#define SDX_LOG(logger, severity_, ...)                                                                \
  do {                                                                                                 \
    const ::sdx::Logger& sdx_logger = (logger);                                                        \
    if (sdx_logger.enabled(::sdx::Severity::severity_)) [[unlikely]]                                   \
      sdx_logger.write(::sdx::Severity::severity_, __FILE__, __LINE__, ::sdx::formatted(__VA_ARGS__)); \
  } while (false)
