// SoftmaxCrossEntropyLoss for float32: LogSoftmax, then the likelihood.
#include "kernel/scratch_parts.h"
#include "ops/loss/nll_f32.h"
#include "ops/norm/softmax_kernels.h"

namespace sdx::ops {
namespace {

Status run_softmax_cross_entropy_loss_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  float* log_probabilities =
      ctx.wants_output(1) ? ctx.output(1).data<float>() : ScratchParts(ctx).take<float>(x.count()).data();
  if (x.count() > 0) SDX_TRY(run_log_softmax_f32(ctx, AxisView(x.shape(), 1), x.data<float>(), log_probabilities));
  return run_nll_f32(ctx, log_probabilities);
}

}  // namespace

SDX_CPU_KERNELS(softmax_cross_entropy_loss,
                {.name = "softmax_cross_entropy_loss_f32",
                 .can_run = can_run_nll_f32,
                 .run = run_softmax_cross_entropy_loss_f32,
                 .scratch_bytes = [](const ScratchFacts& facts) {
                   ScratchSize size(facts);
                   return size.part(facts.node.wants_output(1) ? Dim(0) : size.input_count(0), sizeof(float)).bytes();
                 }});

}  // namespace sdx::ops
