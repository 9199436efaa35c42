// The plain form of a blocked tensor (ops/conv/blocked_conv.h).
#pragma once

#include "ops/conv/blocked_conv.h"

namespace sdx::ops {

// How the plain tensor lies: batch, channels, spatial axes; or the channels last.
struct PlainSizes {
  int64_t batch = 0, channels = 0, positions = 0;
  bool channels_last = false;
};
PlainSizes plain_sizes(const Tensor& plain, bool channels_last);

}  // namespace sdx::ops
