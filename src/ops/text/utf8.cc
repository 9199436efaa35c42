#include "ops/text/utf8.h"

#include <algorithm>
#include <iterator>

namespace sdx::ops {
namespace {

struct CaseRun {
  uint32_t first, last;
  uint16_t step;
  int32_t delta;
};
#include "ops/text/case_map.inc"

template <size_t N>
uint32_t mapped(const CaseRun (&runs)[N], uint32_t point) {
  const CaseRun* run = std::lower_bound(std::begin(runs), std::end(runs), point,
                                        [](const CaseRun& r, uint32_t p) { return r.last < p; });
  if (run == std::end(runs) || point < run->first || (point - run->first) % run->step != 0) return point;
  return point + static_cast<uint32_t>(run->delta);
}

uint32_t change_case(uint32_t point, Case target, CaseRules rules) {
  if (rules == CaseRules::ascii && point > 0x7F) return point;
  if (rules == CaseRules::turkic) {
    if (target == Case::lower && point == 'I') return 0x131;
    if (target == Case::upper && point == 'i') return 0x130;
  }
  return target == Case::lower ? mapped(kToLower, point) : mapped(kToUpper, point);
}

void append_utf8(std::string& text, uint32_t point) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

CodePoint code_point_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1, true};
  const size_t size = lead >= 0xF0 && lead < 0xF5   ? 4
                      : lead >= 0xE0 && lead < 0xF0 ? 3
                      : lead >= 0xC2 && lead < 0xE0 ? 2
                                                    : 0;
  if (size == 0 || text.size() - at < size) return {lead, 1, false};
  uint32_t point = lead & (0x7Fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {lead, 1, false};
    point = point << 6 | (byte(at + i) & 0x3F);
  }
  const uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
  if (point < least || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return {lead, 1, false};
  return {point, size, true};
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += code_point_at(text, at).size) ++count;
  return count;
}

CaseRules case_rules(std::string_view locale) {
  if (locale == "C" || locale == "POSIX") return CaseRules::ascii;
  const std::string_view language = locale.substr(0, locale.find_first_of("_-.@"));
  return language == "tr" || language == "az" ? CaseRules::turkic : CaseRules::unicode;
}

namespace {

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

std::string ascii_to_case(std::string_view text, Case target) {
  std::string changed(text);
  const char first = target == Case::lower ? 'A' : 'a';
  for (char& c : changed)
    if (static_cast<unsigned char>(c - first) < 26) c ^= 'a' ^ 'A';
  return changed;
}

}  // namespace

std::string to_case(std::string_view text, Case target, CaseRules rules) {
  if (target == Case::unchanged) return std::string(text);
  if (rules != CaseRules::turkic && is_ascii(text)) return ascii_to_case(text, target);
  std::string changed;
  changed.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (point.valid) {
      append_utf8(changed, change_case(point.value, target, rules));
    } else {
      changed += text[at];
    }
    at += point.size;
  }
  return changed;
}

}  // namespace sdx::ops
