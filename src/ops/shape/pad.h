// What the contract and the kernel of Pad share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct Padding {
  Shape before, after;  // one a dimension of the data, negative where it removes
};
// Inputs pads and axes, which the shape rule has accepted.
Padding padding_of(const KernelContext& ctx);

}  // namespace sdx::ops
