#include "ops/norm/skip_norm.h"

#include <cmath>

namespace sdx::ops {

Result<Facts> infer_skip_norm(InferContext& ctx, SkipNorm kind) {
  if (!ctx.has_input(0) || !ctx.has_input(1) || !ctx.has_input(2)) return ctx.fail("input, skip and gamma are needed");
  const Fact& x = ctx.input(0);
  Fact moment = tensor_fact(DType::f32, x.shape);
  if (x.has_rank()) {
    if (x.rank() < 1) return ctx.fail("input is a scalar");
    const Dim& size = x.shape->back();
    SDX_TRY(check_broadcasts_to_first(ctx, 1, "skip"));
    SDX_TRY(check_channels(ctx, 2, "gamma", size));
    if (kind == SkipNorm::layer && ctx.has_input(3)) SDX_TRY(check_channels(ctx, 3, "beta", size));
    if (ctx.has_input(skip_norm_bias(kind))) SDX_TRY(check_channels(ctx, skip_norm_bias(kind), "bias", size));
    moment.shape->back() = Dim(1);
  }
  const Fact y = tensor_fact(x.dtype, x.shape);
  return Facts({y, moment, moment, y});
}

Status reference_skip_norm(KernelContext& ctx, SkipNorm kind) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  const double epsilon = ctx.attr_float("epsilon", kSkipNormEpsilon);
  const int64_t size = x.shape().back(), rows = x.count() / size;
  BroadcastElements skip(&ctx.input(1), x.shape(), 0);
  const Tensor *beta = optional(skip_norm_beta(kind)), *bias = optional(skip_norm_bias(kind));
  std::vector<double> sums(static_cast<size_t>(size));
  for (int64_t row = 0; row < rows; ++row) {
    double mean = 0, squares = 0;
    for (int64_t i = 0; i < size; ++i) {
      const double sum = load_double(x, row * size + i) + skip.next() + (bias != nullptr ? load_double(*bias, i) : 0);
      sums[static_cast<size_t>(i)] = sum;
      mean += sum / static_cast<double>(size);
      if (ctx.wants_output(3)) store_double(ctx.output(3), row * size + i, sum);
    }
    const double center = kind == SkipNorm::layer ? mean : 0;
    for (const double sum : sums) squares += (sum - center) * (sum - center);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(size) + epsilon);
    if (ctx.wants_output(1)) store_double(ctx.output(1), row, mean);
    if (ctx.wants_output(2)) store_double(ctx.output(2), row, inverse);
    for (int64_t i = 0; i < size; ++i) {
      const double normalized = (sums[static_cast<size_t>(i)] - center) * inverse;
      store_double(ctx.output(0), row * size + i,
                   normalized * load_double(ctx.input(2), i) + (beta != nullptr ? load_double(*beta, i) : 0));
    }
  }
  return {};
}

}  // namespace sdx::ops
