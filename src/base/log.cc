#include "base/log.h"

#include <unistd.h>

#include <array>
#include <ctime>

#include "base/knobs.h"

namespace sdx {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"verbose", "info", "warning", "error", "fatal"};

// One write call, so that lines of several threads do not mix.
void write_to_stderr(Severity severity, const char* id, const char* location, std::string_view message) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  gmtime_r(&now.tv_sec, &parts);
  std::array<char, 32> time{};
  std::strftime(time.data(), time.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::string line = formatted("{}.{:03}Z [{}] {}{}{} ({})\n", time.data(), now.tv_nsec / 1000000, name(severity),
                                     id, *id == '\0' ? "" : ": ", message, location);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

std::string_view name(Severity severity) {
  const auto index = static_cast<size_t>(severity);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::optional<Severity> severity_from_name(std::string_view text) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == text) return static_cast<Severity>(i);
  return std::nullopt;
}

void Logger::write(Severity severity, std::string_view file, int line, std::string_view message,
                   const char* category) const noexcept {
  try {
    const std::string location = formatted("{}:{}", file.substr(file.rfind('/') + 1), line);
    if (function_ != nullptr) {
      function_(param_, severity, category, id_.c_str(), location.c_str(), std::string(message).c_str());
    } else {
      write_to_stderr(severity, id_.c_str(), location.c_str(), message);
    }
  } catch (...) {
  }
}

Logger& default_logger() {
  static Logger& logger = *new Logger("", severity_from_name(knob::log_level()).value_or(Severity::warning));
  return logger;
}

}  // namespace sdx
