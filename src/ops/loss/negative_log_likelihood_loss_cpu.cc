// NegativeLogLikelihoodLoss for float32.
#include "ops/loss/nll_f32.h"

namespace sdx::ops {

SDX_CPU_KERNELS(negative_log_likelihood_loss,
                {.name = "negative_log_likelihood_loss_f32", .can_run = can_run_nll_f32, .run = [](KernelContext& ctx) {
                   return run_nll_f32(ctx, ctx.input(0).data<float>());
                 }});

}  // namespace sdx::ops
