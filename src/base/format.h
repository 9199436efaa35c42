// Text formatting for messages: fmt's compile-time checked format strings behind one out-of-line call.
// Include this, not fmt's larger headers: it keeps every translation unit quick to compile.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace sdx {

std::string format_args_to_text(fmt::string_view format_text, fmt::format_args args);

// Not called `format`: argument-dependent lookup would find std::format where the library has one.
template <typename... Args>
std::string formatted(fmt::format_string<Args...> format_text, Args&&... args) {
  return format_args_to_text(format_text, fmt::make_format_args(args...));
}

// "a, b, c" for anything whose elements `to_text` turns into strings.
template <typename Range, typename ToText>
std::string join(const Range& range, std::string_view separator, ToText to_text) {
  std::string text;
  bool first = true;
  for (const auto& element : range) {
    if (!first) text += separator;
    first = false;
    text += to_text(element);
  }
  return text;
}

}  // namespace sdx
