// ScaledDotProductAttention: what passes make of softmax(scale * q k' + mask) v over heads spelled out in nodes, with
// the same value for every input: a mask is broadcast, hides nothing, and NaN stays NaN.
#pragma once

#include "ops/attention/attend.h"

namespace sdx::ops {

// q, k, v as [batch, heads, positions, channels]; where an attribute q_by_position, k_.. or v_.. is 1, as
// [batch, positions, heads, channels]. So is the output, by y_by_position.
struct ScaledDotProduct {
  AttentionSizes sizes;
  HeadView q, k, v, y;
  float scale = 1;
  const Tensor* mask = nullptr;
  int64_t mask_strides[4] = {};  // by batch, head, query, key; 0: broadcast

  static ScaledDotProduct of(KernelContext& ctx);
  int64_t mask_index(int64_t b, int64_t h, int64_t i, int64_t j) const {
    return b * mask_strides[0] + h * mask_strides[1] + i * mask_strides[2] + j * mask_strides[3];
  }
};

}  // namespace sdx::ops
