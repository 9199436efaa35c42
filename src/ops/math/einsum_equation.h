// The equation of an Einsum: labels of each operand's dimensions and of the output's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace sdx::ops {

// Labels are letters; dimension k of the ellipsis, counted from its last one, is kEllipsis + k.
using EinsumLabel = int;
inline constexpr EinsumLabel kEllipsis = 256;

struct EinsumEquation {
  std::vector<std::vector<EinsumLabel>> operands;
  std::vector<EinsumLabel> output;

  // For operands of these ranks. An ellipsis may stand for a different number of dimensions in each operand: they
  // broadcast.
  static Result<EinsumEquation> parse(std::string_view text, const std::vector<int>& ranks);
  // Rank of the output where the text alone decides it (no ellipsis), else -1.
  static int output_rank(std::string_view text);
};

}  // namespace sdx::ops
