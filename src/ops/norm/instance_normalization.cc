// InstanceNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + bias, with the moments of each channel of
// each sample.
#include <cmath>

#include "ops/norm/norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_instance_normalization(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  if (x.has_rank() && x.rank() < 2) return ctx.fail("x has rank {}, below 2", x.rank());
  const Dim channels = x.has_rank() ? x.dim(1) : ctx.unknown_dim();
  SDX_TRY(check_channels(ctx, 1, "scale", channels));
  SDX_TRY(check_channels(ctx, 2, "B", channels));
  return infer_same_as_first(ctx);
}

Status instance_normalization_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const RowView view(x.shape(), x.rank() > 2 ? 2 : -1);
  const int64_t size = x.rank() > 2 ? view.size : 1;
  const int64_t rows = x.rank() > 2 ? view.rows : x.count();
  const ReductionPlan plan(Shape({rows, size}), {false, true});
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t channel = row % x.dim(1);
    const Moments m = moments(x, plan, row);
    const double factor = load_double(ctx.input(1), channel) / std::sqrt(m.variance + epsilon);
    const double bias = load_double(ctx.input(2), channel);
    plan.each(row, [&](int64_t at) { store_double(ctx.output(0), at, (load_double(x, at) - m.mean) * factor + bias); });
  }
  return {};
}

}  // namespace

SDX_OP(instance_normalization) = {
    .name = "InstanceNormalization",
    .since = 22,
    .infer = infer_instance_normalization,
    .reference = instance_normalization_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
