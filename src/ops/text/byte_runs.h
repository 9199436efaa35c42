// Regular expressions that ask for one class of ASCII characters, once or more: \w+, \d+, [a-zA-Z0-9_]+. Their matches
// are the longest runs of such bytes, whatever stands between them.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

namespace sdx::ops {

class ByteRuns {
 public:
  // Nullopt for any other expression.
  static std::optional<ByteRuns> of(std::string_view expression);

  // Calls f(begin, end) for each run, in order.
  template <typename F>
  void for_each(std::string_view text, F f) const {
    for (size_t at = 0; at < text.size(); ++at) {
      const size_t begin = at;
      while (at < text.size() && bytes_[static_cast<unsigned char>(text[at])]) ++at;
      if (at > begin) f(begin, at);
    }
  }

 private:
  std::bitset<256> bytes_;
};

}  // namespace sdx::ops
