// BatchNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + bias for each channel (dimension 1; a vector
// is one channel). In training the moments are those of x, and outputs 1 and 2 the running ones:
// running * momentum + current * (1 - momentum).
#include <cmath>

#include "ops/norm/norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_batch_normalization(InferContext& ctx) {
  const Fact& x = ctx.input(0);
  const bool training = ctx.attr_int("training_mode", 0) != 0;
  if (!training && (ctx.wants_output(1) || ctx.wants_output(2)))
    return ctx.fail("outputs 1 and 2 exist only with training_mode = 1");
  Dim channels = ctx.unknown_dim();
  if (x.has_rank()) {
    if (x.rank() == 0) return ctx.fail("x is a scalar");
    channels = x.rank() == 1 ? Dim(1) : x.dim(1);
  }
  constexpr std::string_view kNames[] = {"x", "scale", "B", "input_mean", "input_var"};
  for (size_t i = 1; i < 5; ++i) SDX_TRY(check_channels(ctx, i, kNames[i], channels));
  const SymShape vector = {channels};
  return Facts({tensor_fact(x.dtype, x.shape), tensor_fact(ctx.dtype(3), vector), tensor_fact(ctx.dtype(4), vector)});
}

Status batch_normalization_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const double epsilon = ctx.attr_float("epsilon", 1e-5F), momentum = ctx.attr_float("momentum", 0.9F);
  const bool training = ctx.attr_int("training_mode", 0) != 0;
  std::vector<bool> reduced(static_cast<size_t>(x.rank()), true);
  if (x.rank() > 1) reduced[1] = false;
  const ReductionPlan plan(x.shape(), reduced);
  for (int64_t channel = 0; channel < ctx.input(1).count(); ++channel) {
    Moments m{load_double(ctx.input(3), channel), load_double(ctx.input(4), channel)};
    if (training) {
      const Moments current = moments(x, plan, channel);
      const auto running = [&](double old, double now) { return old * momentum + now * (1 - momentum); };
      if (ctx.wants_output(1)) store_double(ctx.output(1), channel, running(m.mean, current.mean));
      if (ctx.wants_output(2)) store_double(ctx.output(2), channel, running(m.variance, current.variance));
      m = current;
    }
    const double factor = load_double(ctx.input(1), channel) / std::sqrt(m.variance + epsilon);
    const double bias = load_double(ctx.input(2), channel);
    plan.each(channel,
              [&](int64_t at) { store_double(ctx.output(0), at, (load_double(x, at) - m.mean) * factor + bias); });
  }
  return {};
}

// Opset 6 had is_test; whether a node trains was always told by its number of outputs.
Status drop_is_test(UpgradeContext& ctx) {
  ctx.attributes().remove("is_test");
  return {};
}

// spatial = 0: each element of a sample is a channel of its own.
Status flatten_non_spatial(UpgradeContext& ctx) {
  const bool spatial = ctx.attributes().get_int("spatial", 1) != 0;
  ctx.attributes().remove("spatial");
  if (spatial) return {};
  const ValueId shape = ctx.add("Shape", {ctx.input(0)});
  ctx.set_input(0, ctx.add("Flatten", {ctx.input(0)}, {attr("axis", 1)}));
  for (size_t i = 1; i < 5; ++i)
    if (ctx.has_input(i)) ctx.set_input(i, ctx.add("Reshape", {ctx.input(i), ctx.ints(std::vector<int64_t>{-1})}));
  const ValueId output = ctx.node().outputs[0];
  const ValueId inner = ctx.intercept_output(0);
  ctx.add_after("Reshape", {inner, shape}, output, {attr("allowzero", 1)});
  return {};
}

// Up to opset 13 more than one output meant training; outputs 3 and 4 were the moments of x.
Status name_training(UpgradeContext& ctx) {
  bool training = false;
  for (size_t i = 1; i < 5; ++i) training = training || ctx.has_output(i);
  if (!training) return {};
  ctx.attributes().set("training_mode", int64_t{1});
  if (ctx.has_output(3) || ctx.has_output(4)) {
    if (!ctx.fact(0).has_rank()) return ctx.fail("outputs 3 and 4 need the rank of x, which is not known");
    std::vector<int64_t> axes;
    for (int i = 0; i < ctx.fact(0).rank(); ++i)
      if (i != 1) axes.push_back(i);
    const ValueId list = ctx.ints(axes);
    const ValueId mean = ctx.add("ReduceMean", {ctx.input(0), list});
    if (ctx.has_output(3)) ctx.add_after("Reshape", {mean, ctx.ints(std::vector<int64_t>{-1})}, ctx.node().outputs[3]);
    if (ctx.has_output(4)) {
      const ValueId difference = ctx.add("Sub", {ctx.input(0), mean});
      const ValueId square = ctx.add("Mul", {difference, difference});
      ctx.add_after("ReduceMean", {square, list}, ctx.node().outputs[4], {attr("keepdims", 0)});
    }
  }
  if (ctx.node().outputs.size() > 3) ctx.node().outputs.resize(3);
  return {};
}

}  // namespace

SDX_OP(batch_normalization) = {
    .name = "BatchNormalization",
    .since = 15,
    .infer = infer_batch_normalization,
    .reference = batch_normalization_reference,
    .upgrades = {{1, drop_consumed_inputs}, {6, drop_is_test}, {7, flatten_non_spatial}, {9, name_training}},
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
