// FusedConv (com.microsoft): activation(Conv(x, w, b) + z).
#include "ops/conv/convolution.h"
#include "ops/fused_activation.h"
#include "ops/input_rules.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_fused_conv(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes, kOptional}, {3, kTypes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  SDX_TRY(activation_of(ctx.attributes()).status());
  SDX_ASSIGN(Facts facts, infer_conv(ctx));
  Fact& y = facts.list[0];
  if (ctx.has_input(3) && ctx.has_rank(3) && y.has_rank()) {
    if (ctx.rank(3) != y.rank()) return ctx.fail("z has rank {}, the output has rank {}", ctx.rank(3), y.rank());
    for (int axis = 0; axis < y.rank(); ++axis) {
      SDX_ASSIGN((*y.shape)[static_cast<size_t>(axis)],
                 ctx.same(y.dim(axis), ctx.dim(3, axis), formatted("dimension {} of the output and z", axis)));
    }
  }
  return facts;
}

Status fused_conv_reference(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, activation_of(ctx.attributes()));
  const bool has_z = ctx.has_input(3);
  return conv_reference(ctx,
                        [&](double v, int64_t i) { return activation(has_z ? v + load_double(ctx.input(3), i) : v); });
}

}  // namespace

SDX_OP(fused_conv) = {
    .name = "FusedConv",
    .domain = "com.microsoft",
    .infer = infer_fused_conv,
    .reference = fused_conv_reference,
    .records_constraints = true,
    .tolerance = relative(3e-6),
};

}  // namespace sdx::ops
