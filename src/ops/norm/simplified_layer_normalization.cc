// SimplifiedLayerNormalization: RMSNormalization under the name that onnxruntime's exporters write into the standard
// domain. Output 1 is 1 / sqrt(mean(x * x) + epsilon), float32 unless x is double.
#include "ops/norm/rms_norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_simplified_layer_normalization(InferContext& ctx) {
  if (!ctx.has_input(0) || !ctx.has_input(1)) return ctx.fail("x and scale are needed");
  SDX_TRY(check_stash_type(ctx));
  const Fact& x = ctx.input(0);
  Fact inverse = tensor_fact(dtype_from_onnx(ctx.attr_int("stash_type", 1)), std::nullopt);
  if (x.has_rank()) {
    SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", -1), x.rank()));
    inverse.shape = x.shape;
    for (int i = axis; i < x.rank(); ++i) (*inverse.shape)[static_cast<size_t>(i)] = Dim(1);
  }
  SDX_TRY(check_broadcasts_to_first(ctx, 1, "scale"));
  return Facts({tensor_fact(ctx.dtype(1), x.shape), inverse});
}

}  // namespace

SDX_OP(simplified_layer_normalization) = {
    .name = "SimplifiedLayerNormalization",
    .since = 1,
    .infer = infer_simplified_layer_normalization,
    .reference = [](KernelContext& ctx) { return reference_rms_norm(ctx, 1); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
