// SoftmaxCrossEntropyLoss: the negative log likelihood of LogSoftmax(scores, axis 1). Output 1 is that log softmax.
#include <cmath>

#include "base/element.h"
#include "ops/loss/nll.h"
#include "ops/reduce/axis_view.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_softmax_cross_entropy_loss(InferContext& ctx) {
  SDX_ASSIGN(Fact loss, infer_nll(ctx));
  return Facts({std::move(loss), tensor_fact(ctx.dtype(0), ctx.input(0).shape)});
}

Status softmax_cross_entropy_loss_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const AxisView view(x.shape(), 1);
  std::vector<double> values(static_cast<size_t>(x.count()));
  for (int64_t i = 0; i < x.count(); ++i) values[static_cast<size_t>(i)] = load_double(x, i);
  for (int64_t line = 0; line < view.lines() && view.size > 0; ++line) {
    double* v = values.data() + view.first_of(line);
    double top = v[0], sum = 0;
    for (int64_t k = 1; k < view.size; ++k) top = std::max(top, v[k * view.inner]);
    for (int64_t k = 0; k < view.size; ++k) sum += std::exp(v[k * view.inner] - top);
    const double log_sum = std::log(sum);
    for (int64_t k = 0; k < view.size; ++k) v[k * view.inner] = v[k * view.inner] - top - log_sum;
  }
  if (ctx.wants_output(1))
    for (int64_t i = 0; i < x.count(); ++i) store_double(ctx.output(1), i, values[static_cast<size_t>(i)]);
  return compute_nll(ctx, values);
}

}  // namespace

SDX_OP(softmax_cross_entropy_loss) = {
    .name = "SoftmaxCrossEntropyLoss",
    .since = 13,
    .infer = infer_softmax_cross_entropy_loss,
    .reference = softmax_cross_entropy_loss_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
