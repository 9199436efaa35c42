// FusedGemm (com.microsoft): activation(Gemm(a, b, c)).
#include "base/element.h"
#include "ops/fused_activation.h"
#include "ops/input_rules.h"
#include "ops/linalg/gemm_operator.h"

namespace sdx::ops {

Result<FusedActivation> fused_gemm_activation(const Attributes& attributes) {
  SDX_ASSIGN(FusedActivation activation, read_activation(attributes.get_string("activation", ""), {}));
  activation.alpha = attributes.get_float("activation_alpha", activation.alpha);
  activation.beta = attributes.get_float("activation_beta", activation.beta);
  activation.gamma = attributes.get_float("activation_gamma", activation.gamma);
  return activation;
}

SDX_OP(fused_gemm) = {
    .name = "FusedGemm",
    .domain = "com.microsoft",
    .infer = [](InferContext& ctx) -> Result<Facts> {
      static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
      static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}, {2, kTypes, kOptional}};
      SDX_TRY(check_inputs(ctx, kRules));
      SDX_TRY(fused_gemm_activation(ctx.attributes()).status());
      return infer_gemm(ctx);
    },
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const FusedActivation activation, fused_gemm_activation(ctx.attributes()));
      SDX_TRY(gemm_reference(ctx));
      Tensor& y = ctx.output(0);
      for (int64_t i = 0; i < y.count(); ++i) store_double(y, i, activation(load_double(y, i)));
      return {};
    },
    .records_constraints = true,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
