// The standard's Attention: shape rule and the numbers of one node, for the reference and the CPU kernel.
#pragma once

#include "ops/attention/attend.h"

namespace sdx::ops {

Result<Facts> infer_attention(InferContext& ctx);

struct AttentionNode {
  AttentionSizes sizes;
  HeadView q, y;
  Cache k, v;
  bool packed = false;  // inputs of rank 3
  AttentionOptions options;
  bool causal = false;
  int64_t left_window = -1, right_window = -1;
  std::vector<int64_t> offsets;  // of the first query's position, one a batch
  std::vector<int64_t> valid;    // keys that are no padding, one a batch
  std::optional<BroadcastMask> mask;

  // First and end of the keys that query i may see, before the mask.
  std::pair<int64_t, int64_t> range(int64_t b, int64_t i) const;
};
Result<AttentionNode> attention_node(KernelContext& ctx);

}  // namespace sdx::ops
