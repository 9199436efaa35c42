// LogSoftmax for float32.
#include "ops/elementwise.h"
#include "ops/norm/softmax_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(log_softmax, {.name = "log_softmax_f32", .can_run = takes<DType::f32>, .run = [](KernelContext& ctx) {
                                return run_softmax_f32(ctx, SoftmaxKind::log);
                              }});

}  // namespace sdx::ops
