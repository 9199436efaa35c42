// JSON, written in order. Texts that are not UTF-8 keep what is and get U+FFFD for the rest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sdx {

class JsonText {
 public:
  JsonText& begin_object() { return open('{'); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array() { return open('['); }
  JsonText& end_array() { return close(']'); }
  JsonText& key(std::string_view name);  // a value follows
  JsonText& value(std::string_view text);
  JsonText& value(const char* text) { return value(std::string_view(text)); }
  JsonText& value(int64_t number);
  JsonText& null();
  JsonText& raw(std::string_view json);  // a value that is JSON already
  template <typename T>
  JsonText& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  const std::string& text() const { return text_; }

 private:
  JsonText& open(char bracket);
  JsonText& close(char bracket);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool first_ = true;
};

}  // namespace sdx
