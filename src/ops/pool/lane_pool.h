// Float32 pools whose last axis is 16 lanes that no window spans: blocked channels (ops/conv/blocked_conv.h).
#pragma once

#include <algorithm>

#include "ops/pool/pooling.h"

namespace sdx::ops {

// For the kernels: the innermost spatial axis, and the rows that a row of windows reaches.
struct LaneColumns {
  int64_t in = 0, out = 0, kernel = 1, stride = 1, dilation = 1, begin = 0;
  const float* divisors = nullptr;  // of the columns, for averages

  int64_t start(int64_t o) const { return o * stride - begin; }
  int64_t span() const { return (kernel - 1) * dilation + 1; }
  int64_t first(int64_t o) const {
    const int64_t at = start(o);
    return at >= 0 ? at : at + (-at + dilation - 1) / dilation * dilation;
  }
  int64_t end(int64_t o) const { return std::min(in, start(o) + span()); }
  bool inside(int64_t o) const { return start(o) >= 0 && start(o) + span() <= in; }
};
struct LaneRows {
  const float* const* list;
  size_t count;
};

Verdict can_run_lane_pool(const NodeFacts& facts);
Status run_lane_max_pool(KernelContext& ctx);
Status run_lane_average_pool(KernelContext& ctx);

}  // namespace sdx::ops
