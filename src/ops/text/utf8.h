// UTF-8 text: code points and their case, without the machine's locales.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sdx::ops {

// One code point at `text[at]`. Bytes that are no UTF-8 come one by one, with `valid` false.
struct CodePoint {
  uint32_t value = 0;
  size_t size = 1;  // bytes
  bool valid = true;
};
CodePoint code_point_at(std::string_view text, size_t at);
size_t count_code_points(std::string_view text);

enum class Case : uint8_t { unchanged, lower, upper };
// Whose rules: `ascii` maps A-Z alone (locales C and POSIX), `turkic` has dotless i (tr, az).
enum class CaseRules : uint8_t { unicode, ascii, turkic };
CaseRules case_rules(std::string_view locale);
// One code point becomes one code point: ß stays ß. Invalid bytes stay.
std::string to_case(std::string_view text, Case target, CaseRules rules);

}  // namespace sdx::ops
