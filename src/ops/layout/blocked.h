// Blocked tensors: x [N, C, spatial...] as [N, ceil(C / 16), spatial..., 16], element (n, c, s...) at (n, c / 16, s...,
// c % 16). An ordinary tensor of one rank more. Lanes beyond C hold anything.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

inline constexpr int64_t kBlock = 16;  // channels, at every SIMD level
inline int64_t blocks_of(int64_t channels) { return (channels + kBlock - 1) / kBlock; }

// How the plain tensor lies: batch, channels, spatial axes; or the channels last.
struct PlainSizes {
  int64_t batch = 0, channels = 0, positions = 0;
  bool channels_last = false;
};
PlainSizes plain_sizes(const Tensor& plain, bool channels_last);

}  // namespace sdx::ops
