// RMSNormalization for float32.
#include "ops/norm/rms_norm.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Verdict takes_f32(const NodeFacts& facts) {
  return facts.dtype(0) == DType::f32 && facts.dtype(1) == DType::f32 ? yes() : no("only f32");
}

// The output is of the scale's type.
Verdict takes_one_half_type(const NodeFacts& facts) {
  return facts.dtype(1) == facts.dtype(0) ? takes_half(facts) : no("scale has another type");
}

}  // namespace

SDX_CPU_KERNELS(rms_normalization,
                {.name = "rms_normalization_f32",
                 .can_run = takes_f32,
                 .run = [](KernelContext& ctx) { return run_rms_norm_f32(ctx, 0); }},
                {.name = "rms_normalization_half",
                 .can_run = takes_one_half_type,
                 .run =
                     [](KernelContext& ctx) {
                       return run_through_f32(ctx, [](KernelContext& wide) { return run_rms_norm_f32(wide, 0); });
                     },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
