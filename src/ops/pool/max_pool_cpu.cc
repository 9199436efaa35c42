// MaxPool for float32 without indices, over one or two spatial axes.
#include <limits>

#include "ops/pool/pooling.h"
#include "ops/pool/pooling_f32.h"

namespace sdx::ops {
namespace {

Status run_max_pool_f32(KernelContext& ctx) {
  const WindowKernels& kernels = window_kernels();
  return run_pool_f32(ctx, -std::numeric_limits<float>::infinity(),
                      [&](const WindowRow& row, int64_t, int64_t) { kernels.maximum(row); });
}

}  // namespace

SDX_CPU_KERNELS(max_pool, {.name = "max_pool_f32",
                           .can_run =
                               [](const NodeFacts& facts) {
                                 if (facts.wants_output(1)) return no("indices are wanted");
                                 return can_run_pool_f32(facts);
                               },
                           .run = run_max_pool_f32});

}  // namespace sdx::ops
