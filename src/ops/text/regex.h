// Regular expressions (RE2's syntax and semantics, linear time). RE2 lives in a module, libsardonyx_regex.so, that is
// loaded from beside the engine when the first pattern is compiled.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace sdx::ops {

class Regex {
 public:
  // NOT_IMPLEMENTED where the module is missing, INVALID_ARGUMENT for a wrong pattern.
  static Result<Regex> compile(std::string_view pattern);

  bool matches_whole(std::string_view text) const;
  struct Span {
    size_t begin, end;
  };
  // The longest of the leftmost matches that begin at `from` or later.
  std::optional<Span> find(std::string_view text, size_t from) const;

 private:
  explicit Regex(std::shared_ptr<void> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<void> compiled_;
};

}  // namespace sdx::ops
