// LogSoftmax for float32, and 16-bit floats through it.
#include "ops/elementwise.h"
#include "ops/norm/softmax_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {

namespace {

Status run_f32(KernelContext& ctx) { return run_softmax_f32(ctx, SoftmaxKind::log); }

}  // namespace

SDX_CPU_KERNELS(log_softmax, {.name = "log_softmax_f32", .can_run = takes<DType::f32>, .run = run_f32},
                {.name = "log_softmax_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
