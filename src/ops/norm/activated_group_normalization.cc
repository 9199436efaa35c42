// ActivatedGroupNormalization: activation(GroupNormalization(x, scale, bias)); the activation is a name and numbers, as
// FusedConv has them (ops/fused_activation.h).
#include "ops/norm/group_norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_activated(InferContext& ctx) {
  SDX_TRY(activation_of(ctx.attributes()).status());
  return infer_group_norm(ctx);
}

Status activated_reference(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, activation_of(ctx.attributes()));
  return reference_group_norm(ctx, activation);
}

}  // namespace

SDX_OP(activated_group_normalization) = {
    .name = "ActivatedGroupNormalization",
    .domain = "sardonyx",
    .infer = infer_activated,
    .reference = activated_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
