// Dropout: the data itself, and a mask of true. With training_mode and a ratio above 0, elements are zeroed at random
// and the others scaled by 1 / (1 - ratio); mask is which ones stay. A seed draws what numpy.random.uniform draws.
#include <cstring>

#include "base/element.h"
#include "ops/random/generator.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_dropout(InferContext& ctx) {
  for (const size_t i : {1, 2})
    if (ctx.has_input(i) && ctx.has_rank(i) && ctx.rank(i) != 0)
      return ctx.fail("{} has rank {}, it must be a scalar", i == 1 ? "ratio" : "training_mode", ctx.rank(i));
  const auto& shape = ctx.input(0).shape;
  return std::vector<Fact>{tensor_fact(ctx.dtype(0), shape), tensor_fact(DType::boolean, shape)};
}

Status dropout_reference(KernelContext& ctx) {
  const Tensor& data = ctx.input(0);
  const bool training = ctx.has_input(2) && load_i64(ctx.input(2), 0) != 0;
  const double ratio = ctx.has_input(1) ? load_double(ctx.input(1), 0) : 0.5;
  if (training && !(ratio >= 0 && ratio < 1)) return invalid_argument("ratio is {}, it must be in [0, 1)", ratio);
  if (!training || ratio == 0) {
    if (ctx.wants_output(1))
      for (int64_t i = 0; i < data.count(); ++i) store_i64(ctx.output(1), i, 1);
    std::memcpy(ctx.output(0).raw(), data.raw(), data.byte_size());
    return {};
  }
  RandomGenerator random(ctx);
  Tensor& y = ctx.output(0);
  const double scale = 1 / (1 - ratio);
  for (int64_t i = 0; i < data.count(); ++i) {
    const bool stays = random.uniform() >= ratio;
    store_double(y, i, stays ? load_double(data, i) * scale : 0.0);
    if (ctx.wants_output(1)) store_i64(ctx.output(1), i, stays);
  }
  return {};
}

Status dropout_1_to_6(UpgradeContext& ctx) { return drop_consumed_inputs(ctx); }

// Models are run, not trained: the flag of old opsets is not asked.
Status dropout_6_to_7(UpgradeContext& ctx) {
  ctx.attributes().remove("is_test");
  return {};
}

// The mask had the type of the data.
Status dropout_7_to_10(UpgradeContext& ctx) {
  if (!ctx.has_output(1)) return {};
  const DType type = ctx.fact(0).dtype == DType::undefined ? DType::f32 : ctx.fact(0).dtype;
  const ValueId mask = ctx.node().outputs[1];
  const ValueId inner = ctx.intercept_output(1);
  ctx.add_after("Cast", {inner}, mask, {attr("to", static_cast<int64_t>(type))});
  return {};
}

// The ratio was an attribute.
Status dropout_10_to_12(UpgradeContext& ctx) {
  if (const auto* ratio = ctx.attributes().get<float>("ratio")) ctx.set_input(1, ctx.scalar(DType::f32, *ratio));
  ctx.attributes().remove("ratio");
  return {};
}

}  // namespace

SDX_OP(dropout) = {
    .name = "Dropout",
    .since = 22,
    .infer = infer_dropout,
    .reference = dropout_reference,
    .upgrades = {{1, dropout_1_to_6}, {6, dropout_6_to_7}, {7, dropout_7_to_10}, {10, dropout_10_to_12}},
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
