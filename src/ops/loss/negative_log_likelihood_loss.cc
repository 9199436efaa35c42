// NegativeLogLikelihoodLoss: -weight[label] * input[label], summed or averaged (by the weights) over the samples.
#include "base/element.h"
#include "ops/loss/nll.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_negative_log_likelihood_loss(InferContext& ctx) {
  SDX_ASSIGN(Fact loss, infer_nll(ctx));
  return loss;
}

Status negative_log_likelihood_loss_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  std::vector<double> values(static_cast<size_t>(x.count()));
  for (int64_t i = 0; i < x.count(); ++i) values[static_cast<size_t>(i)] = load_double(x, i);
  return compute_nll(ctx, values);
}

}  // namespace

SDX_OP(negative_log_likelihood_loss) = {
    .name = "NegativeLogLikelihoodLoss",
    .since = 22,
    .infer = infer_negative_log_likelihood_loss,
    .reference = negative_log_likelihood_loss_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
