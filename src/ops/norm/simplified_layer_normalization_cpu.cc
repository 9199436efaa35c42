// SimplifiedLayerNormalization for float32.
#include "ops/norm/rms_norm.h"

namespace sdx::ops {
namespace {

Verdict takes_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 && facts.dtype(1) == DType::f32 ? yes() : no("only f32");
}

}  // namespace

SDX_CPU_KERNELS(simplified_layer_normalization, {.name = "simplified_layer_normalization_f32",
                                                 .can_run = takes_f32,
                                                 .run = [](KernelContext& ctx) { return run_rms_norm_f32(ctx, 1); }});

}  // namespace sdx::ops
