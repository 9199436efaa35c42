// LayerNormalization: y = (x - mean) / sqrt(variance + epsilon) * scale + bias, with the moments of each row: the
// dimensions from `axis` on. Outputs 1 and 2 are the means and 1 / sqrt(variance + epsilon), of type stash_type.
#include <cmath>

#include "ops/norm/norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_layer_normalization(InferContext& ctx) {
  const int64_t stash = ctx.attr_int("stash_type", 1);
  const DType type = dtype_from_onnx(stash);
  if (type != DType::f32 && type != DType::bf16)
    return ctx.fail("attribute stash_type is {}; 1 (float) or 16 (bfloat16) is allowed", stash);
  const Fact& x = ctx.input(0);
  Fact moment = tensor_fact(type, std::nullopt);
  if (x.has_rank()) {
    SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", -1), x.rank()));
    moment.shape = x.shape;
    for (int i = axis; i < x.rank(); ++i) (*moment.shape)[static_cast<size_t>(i)] = Dim(1);
  }
  SDX_TRY(check_broadcasts_to_first(ctx, 1, "scale"));
  SDX_TRY(check_broadcasts_to_first(ctx, 2, "bias"));
  return Facts({tensor_fact(x.dtype, x.shape), moment, moment});
}

}  // namespace

Status layer_normalization_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const RowView view(x.shape(), ctx.attr_int("axis", -1));
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const ReductionPlan plan(Shape({view.rows, view.size}), {false, true});
  BroadcastElements scale(&ctx.input(1), x.shape(), 1);
  BroadcastElements bias(ctx.has_input(2) ? &ctx.input(2) : nullptr, x.shape(), 0);
  for (int64_t row = 0; row < view.rows; ++row) {
    const Moments m = moments(x, plan, row);
    const double inverse = 1 / std::sqrt(m.variance + epsilon);
    if (ctx.wants_output(1)) store_double(ctx.output(1), row, m.mean);
    if (ctx.wants_output(2)) store_double(ctx.output(2), row, inverse);
    for (int64_t i = row * view.size; i < (row + 1) * view.size; ++i) {
      const double normalized = (load_double(x, i) - m.mean) * inverse;
      store_double(y, i, normalized * scale.next() + bias.next());
    }
  }
  return {};
}

SDX_OP(layer_normalization) = {
    .name = "LayerNormalization",
    .since = 17,
    .infer = infer_layer_normalization,
    .reference = layer_normalization_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
