// SkipLayerNormalization for float32.
#include "ops/elementwise.h"
#include "ops/norm/skip_norm.h"

namespace sdx::ops {

SDX_CPU_KERNELS(skip_layer_normalization,
                {.name = "skip_layer_normalization_f32", .can_run = takes<DType::f32>, .run = [](KernelContext& ctx) {
                   return run_skip_norm_f32(ctx, SkipNorm::layer);
                 }});

}  // namespace sdx::ops
