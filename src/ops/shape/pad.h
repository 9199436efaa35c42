// What the contract and the kernel of Pad share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct Padding {
  Shape before, after;  // one a dimension of the data, negative where it removes
};
// Inputs pads and axes, which the shape rule has accepted.
Padding padding_of(const KernelContext& ctx);

// One dimension: elements [first, first + kept) of the data stand at [before, before + kept) of the result.
struct PaddedAxis {
  int64_t first = 0, kept = 0, before = 0, size = 0;  // size: of the result
  std::string_view mode;
  PaddedAxis(int64_t data_size, int64_t pad_before, int64_t pad_after, std::string_view mode_name);
  int64_t source(int64_t position) const;  // in the data; -1: the constant
};
}  // namespace sdx::ops
