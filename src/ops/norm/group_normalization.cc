// GroupNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale[channel] + bias[channel], with the moments of
// each group of neighbouring channels of each sample.
#include <cmath>

#include "ops/norm/group_norm.h"
#include "ops/norm/norm.h"

namespace sdx::ops {

Result<Facts> infer_group_norm(InferContext& ctx) {
  const int64_t groups = ctx.attr_int("num_groups", 0);
  if (groups <= 0) return ctx.fail("attribute num_groups is {}, not positive", groups);
  SDX_TRY(check_stash_type(ctx));
  const Fact& x = ctx.input(0);
  if (x.has_rank() && x.rank() < 2) return ctx.fail("x has rank {}, below 2", x.rank());
  const Dim channels = x.has_rank() ? x.dim(1) : ctx.unknown_dim();
  if (channels.is_known() && channels.known() % groups != 0)
    return ctx.fail("{} channels do not divide into {} groups", channels.known(), groups);
  ctx.assume({Constraint::Kind::divides, channels, Dim(groups)});
  SDX_TRY(check_channels(ctx, 1, "scale", channels));
  SDX_TRY(check_channels(ctx, 2, "bias", channels));
  return infer_same_as_first(ctx);
}

Status reference_group_norm(KernelContext& ctx, const FusedActivation& activation) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const int64_t groups = ctx.attr_int("num_groups", 1), channels = x.dim(1);
  const int64_t rows = x.dim(0) * groups, size = x.count() / rows, inner = x.count() / x.dim(0) / channels;
  const ReductionPlan plan(Shape({rows, size}), {false, true});
  for (int64_t row = 0; row < rows; ++row) {
    const Moments m = moments(x, plan, row);
    const double factor = 1 / std::sqrt(m.variance + epsilon);
    plan.each(row, [&](int64_t at) {
      const int64_t channel = at / inner % channels;
      const double normalized = (load_double(x, at) - m.mean) * factor;
      const double y = normalized * load_double(ctx.input(1), channel) + load_double(ctx.input(2), channel);
      store_double(ctx.output(0), at, activation(y));
    });
  }
  return {};
}

namespace {

// Up to opset 20 scale and bias had one element a group.
Status scale_each_channel(UpgradeContext& ctx) {
  const int64_t groups = ctx.attributes().get_int("num_groups", 0);
  if (groups <= 0) return ctx.fail("attribute num_groups is {}, not positive", groups);
  const ValueId channels = ctx.add("Shape", {ctx.input(0)}, {attr("start", 1), attr("end", 2)});
  const ValueId group_count = ctx.ints(std::vector<int64_t>{groups});
  const ValueId each = ctx.add("Div", {channels, group_count});
  const ValueId expanded = ctx.add("Concat", {group_count, each}, {attr("axis", 0)});
  for (const size_t i : {1, 2}) {
    const ValueId column = ctx.add("Unsqueeze", {ctx.input(i), ctx.ints(std::vector<int64_t>{1})});
    const ValueId matrix = ctx.add("Expand", {column, expanded});
    ctx.set_input(i, ctx.add("Reshape", {matrix, ctx.ints(std::vector<int64_t>{-1})}));
  }
  return {};
}

}  // namespace

SDX_OP(group_normalization) = {
    .name = "GroupNormalization",
    .since = 21,
    .infer = infer_group_norm,
    .reference = [](KernelContext& ctx) { return reference_group_norm(ctx, {}); },
    .upgrades = {{18, scale_each_channel}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
