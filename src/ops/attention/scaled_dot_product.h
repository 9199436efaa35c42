// ScaledDotProductAttention: what passes make of softmax(scale * q k' + mask) v over heads spelled out in nodes, with
// the same value for every input: a mask is broadcast, hides nothing, and NaN stays NaN. Each head of k and v serves as
// many heads of q one after another as there are more of those. Where an element of `choice`, which is broadcast too,
// is attribute hidden_where, attribute hidden_score stands in place of scale * q k'. With attribute zero_rows, weights
// that are no numbers are 0.
#pragma once

#include "ops/attention/attend.h"

namespace sdx::ops {

// q, k, v as [batch, heads, positions, channels]; where an attribute q_by_position, k_.. or v_.. is 1, as
// [batch, positions, heads, channels]; or as part q_part, .. of [batch, positions, parts, heads, channels]. The output
// is by position where y_by_position is 1.
struct ScaledDotProduct {
  AttentionSizes sizes;
  HeadView q, k, v, y;
  float scale = 1, softcap = 0;
  // Broadcast to the scores.
  struct Operand {
    const Tensor* tensor = nullptr;
    int64_t strides[4] = {};  // by batch, head, query, key; 0: broadcast
    int64_t index(int64_t b, int64_t h, int64_t i, int64_t j) const {
      return b * strides[0] + h * strides[1] + i * strides[2] + j * strides[3];
    }
  };
  Operand mask, choice;
  bool hidden_where = false, zero_rows = false;
  float hidden_score = 0;

  static ScaledDotProduct of(KernelContext& ctx);
};

}  // namespace sdx::ops
