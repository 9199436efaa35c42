// What passes make of a graph written as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sdx::passes::testing {

struct Outcome {
  std::string text;  // "Add Mul" : the operators left, in order
  size_t rewrites = 0;
  std::string declined;
  std::string graph;  // all of it
};

// `passes`: their names, with spaces between.
Outcome after(std::string_view passes, std::string_view text, uint64_t last = UINT64_MAX);
std::string ops_after(std::string_view passes, std::string_view text);

}  // namespace sdx::passes::testing
