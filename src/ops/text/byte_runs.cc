#include "ops/text/byte_runs.h"

namespace sdx::ops {
namespace {

constexpr std::string_view kDigits = "0-9", kWord = "0-9A-Za-z_";

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ' ';
}

}  // namespace

std::optional<ByteRuns> ByteRuns::of(std::string_view expression) {
  if (expression.size() < 2 || expression.back() != '+') return std::nullopt;
  std::string_view members = expression.substr(0, expression.size() - 1);
  if (members == "\\d") {
    members = kDigits;
  } else if (members == "\\w") {
    members = kWord;
  } else if (members.size() > 2 && members.front() == '[' && members.back() == ']') {
    members = members.substr(1, members.size() - 2);
  } else {
    return std::nullopt;
  }
  ByteRuns runs;
  for (size_t at = 0; at < members.size(); ++at) {
    const char first = members[at];
    char last = first;
    if (at + 1 < members.size() && members[at + 1] == '-') {
      if (at + 2 >= members.size()) return std::nullopt;
      last = members[at + 2];
      at += 2;
    }
    if (!is_plain(first) || !is_plain(last) || last < first) return std::nullopt;
    for (int byte = first; byte <= last; ++byte) runs.bytes_.set(static_cast<size_t>(byte));
  }
  return runs;
}

}  // namespace sdx::ops
