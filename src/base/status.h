// Status and Result<T>: how a wrong input is reported. Codes are ONNX Runtime's own, so that callers' handling works.
// A message names the thing, the value found and the value wanted; context is added on the way up.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/format.h"

namespace sdx {

enum class Code : int {
  ok = 0,
  fail = 1,
  invalid_argument = 2,
  no_such_file = 3,
  no_model = 4,
  engine_error = 5,
  runtime_exception = 6,
  invalid_protobuf = 7,
  model_loaded = 8,
  not_implemented = 9,
  invalid_graph = 10,
  ep_fail = 11,
  model_load_canceled = 12,
  model_requires_compilation = 13,
  not_found = 14,
};

std::string_view code_name(Code code);  // "INVALID_ARGUMENT"

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message);
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  Status(const Status& other);
  Status& operator=(const Status& other);
  ~Status() = default;

  bool ok() const { return failure_ == nullptr; }
  Code code() const { return ok() ? Code::ok : failure_->code; }
  const std::string& message() const;

  // Appends " [context]". The innermost context comes first.
  Status with_context(std::string_view context) &&;
  // Puts "prefix" before the message, for the name of the node at fault.
  Status with_prefix(std::string_view prefix) &&;

 private:
  struct Failure {
    Code code;
    std::string message;
  };
  std::unique_ptr<Failure> failure_;
};

template <typename... Args>
Status make_error(Code code, fmt::format_string<Args...> text, Args&&... args) {
  return Status(code, format_args_to_text(text, fmt::make_format_args(args...)));
}
template <typename... Args>
Status invalid_argument(fmt::format_string<Args...> text, Args&&... args) {
  return Status(Code::invalid_argument, format_args_to_text(text, fmt::make_format_args(args...)));
}
template <typename... Args>
Status invalid_graph(fmt::format_string<Args...> text, Args&&... args) {
  return Status(Code::invalid_graph, format_args_to_text(text, fmt::make_format_args(args...)));
}
template <typename... Args>
Status not_implemented(fmt::format_string<Args...> text, Args&&... args) {
  return Status(Code::not_implemented, format_args_to_text(text, fmt::make_format_args(args...)));
}

template <typename T>
class [[nodiscard]] Result {
 public:
  template <typename U = T>
  requires(std::is_convertible_v<U&&, T> && !std::is_same_v<std::remove_cvref_t<U>, Result> &&
           !std::is_same_v<std::remove_cvref_t<U>, Status>) Result(U&& value)
      : value_(std::forward<U>(value)) {}
  Result(Status status) : status_(std::move(status)) {}

  bool ok() const { return value_.has_value(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T&& value() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

// We are wrong, not the caller. Caught only in src/api.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
[[noreturn]] void throw_internal_error(const char* condition, const char* file, int line, std::string_view message);

}  // namespace sdx

#define SDX_CONCAT_INNER(a, b) a##b
#define SDX_CONCAT(a, b) SDX_CONCAT_INNER(a, b)

#define SDX_CHECK(condition, message)                                         \
  do {                                                                        \
    if (!(condition)) [[unlikely]]                                            \
      ::sdx::throw_internal_error(#condition, __FILE__, __LINE__, (message)); \
  } while (false)

#define SDX_TRY(expression)                                                     \
  do {                                                                          \
    if (::sdx::Status sdx_status = (expression); !sdx_status.ok()) [[unlikely]] \
      return sdx_status;                                                        \
  } while (false)

#define SDX_ASSIGN(declaration, ...)                              \
  auto SDX_CONCAT(sdx_result_, __LINE__) = (__VA_ARGS__);         \
  if (!SDX_CONCAT(sdx_result_, __LINE__).ok()) [[unlikely]]       \
    return std::move(SDX_CONCAT(sdx_result_, __LINE__)).status(); \
  declaration = std::move(SDX_CONCAT(sdx_result_, __LINE__)).value()
