#include "base/json_text.h"

namespace sdx {
namespace {

// Bytes of the well-formed UTF-8 sequence that `text` begins with, or 0.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool too_long = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool no_character = (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90);
  return too_long || no_character ? 0 : length;
}

}  // namespace

JsonText& JsonText::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  first_ = true;
  return *this;
}

JsonText& JsonText::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonText& JsonText::value(int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

JsonText& JsonText::null() {
  separate();
  text_ += "null";
  return *this;
}

JsonText& JsonText::raw(std::string_view json) {
  separate();
  text_ += json;
  return *this;
}

JsonText& JsonText::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

void JsonText::separate() {
  if (!first_) text_ += ", ";
  first_ = false;
}

void JsonText::quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  text_ += '"';
  while (!text.empty()) {
    const size_t length = sequence_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0) {
      text_ += "\xEF\xBF\xBD";
    } else if (byte == '"' || byte == '\\') {
      text_ += '\\';
      text_ += text[0];
    } else if (byte < 0x20) {
      text_ += "\\u00";
      text_ += kHex[byte >> 4];
      text_ += kHex[byte & 15];
    } else {
      text_ += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace sdx
