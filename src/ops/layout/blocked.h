// The plain form of a blocked tensor (ops/conv/blocked_conv.h).
#pragma once

#include "ops/conv/blocked_conv.h"

namespace sdx::ops {

// How the plain tensor lies: batch, channels, spatial axes; or the channels last.
struct PlainSizes {
  int64_t batch = 0, channels = 0, positions = 0;
  bool channels_last = false;

  // Where element (n, c, position) lies in either form.
  int64_t plain_index(int64_t n, int64_t c, int64_t p) const {
    return channels_last ? (n * positions + p) * channels + c : (n * channels + c) * positions + p;
  }
  int64_t blocked_index(int64_t n, int64_t c, int64_t p) const {
    return ((n * channel_blocks(channels) + c / kChannelBlock) * positions + p) * kChannelBlock + c % kChannelBlock;
  }
};
// The element where `from` says to where `to` says, for all of them.
Status copy_elements(KernelContext& ctx, const PlainSizes& sizes,
                     int64_t (PlainSizes::*from)(int64_t, int64_t, int64_t) const,
                     int64_t (PlainSizes::*to)(int64_t, int64_t, int64_t) const);
PlainSizes plain_sizes(const Tensor& plain, bool channels_last);

}  // namespace sdx::ops
