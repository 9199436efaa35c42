// MaxPool for float32 without indices, over one or two spatial axes, and over blocked channels.
#include <limits>

#include "ops/pool/lane_pool.h"
#include "ops/pool/pooling_f32.h"

namespace sdx::ops {
namespace {

Status run_max_pool_f32(KernelContext& ctx) {
  const WindowKernels& kernels = window_kernels();
  return run_pool_f32(ctx, -std::numeric_limits<float>::infinity(),
                      [&](const WindowRow& row, int64_t, int64_t) { kernels.maximum(row); });
}

Verdict without_indices(const NodeFacts& facts, Verdict (*can_run)(const NodeFacts&)) {
  return facts.wants_output(1) ? no("indices are wanted") : can_run(facts);
}

}  // namespace

SDX_CPU_KERNELS(max_pool,
                {.name = "max_pool_lanes_f32",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_lane_pool); },
                 .run = run_lane_max_pool},
                {.name = "max_pool_f32",
                 .can_run = [](const NodeFacts& facts) { return without_indices(facts, can_run_pool_f32); },
                 .run = run_max_pool_f32});

}  // namespace sdx::ops
