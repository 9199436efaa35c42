// What the contract and the kernel of Pad share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct Padding {
  Shape before, after;  // one a dimension of the data, negative where it removes
};
// Inputs pads and axes, which the shape rule has accepted.
Padding padding_of(const KernelContext& ctx);
// Where each position of a padded dimension of `size` elements comes from; -1: nowhere.
Shape pad_sources(int64_t size, int64_t before, int64_t after, std::string_view mode);

}  // namespace sdx::ops
