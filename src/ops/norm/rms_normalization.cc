// RMSNormalization: y = x / sqrt(mean(x * x) + epsilon) * scale over the dimensions from `axis` on. The output has the
// type of the scale.
#include "ops/norm/rms_norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_rms_normalization(InferContext& ctx) {
  SDX_TRY(check_stash_type(ctx));
  if (ctx.has_rank(0)) SDX_TRY(ctx.axis(ctx.attr_int("axis", -1), ctx.rank(0)).status());
  SDX_TRY(check_broadcasts_to_first(ctx, 1, "scale"));
  return tensor_fact(ctx.dtype(1), ctx.input(0).shape);
}

}  // namespace

SDX_OP(rms_normalization) = {
    .name = "RMSNormalization",
    .since = 23,
    .infer = infer_rms_normalization,
    .reference = [](KernelContext& ctx) { return reference_rms_norm(ctx, 0); },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
