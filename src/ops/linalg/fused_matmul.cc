// FusedMatMul (com.microsoft): y = alpha * a' @ b', where an operand may be transposed in its matrices (transA) or
// written with the rows before the batch (transBatchA).
#include "ops/linalg/fused_matmul.h"

#include "ops/input_rules.h"

namespace sdx::ops {

MatMulForm fused_matmul_form(const Attributes& attributes) {
  return {.a_transposed = attributes.get_int("transA", 0) != 0,
          .b_transposed = attributes.get_int("transB", 0) != 0,
          .a_batch_transposed = attributes.get_int("transBatchA", 0) != 0,
          .b_batch_transposed = attributes.get_int("transBatchB", 0) != 0};
}

namespace {

Result<Facts> infer_fused_matmul(InferContext& ctx) {
  static constexpr DTypeSet kTypes = kShortFloats | set_of(DType::f64);
  static constexpr InputRule kRules[] = {{0, kTypes}, {1, kTypes}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_matmul(ctx, fused_matmul_form(ctx.attributes()));
}

}  // namespace

SDX_OP(fused_matmul) = {
    .name = "FusedMatMul",
    .domain = "com.microsoft",
    .infer = infer_fused_matmul,
    .reference =
        [](KernelContext& ctx) {
          return matmul_reference(ctx, fused_matmul_form(ctx.attributes()),
                                  static_cast<double>(ctx.attr_float("alpha", 1)));
        },
    .records_constraints = true,
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
