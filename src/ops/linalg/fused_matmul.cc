// FusedMatMul (com.microsoft): y = alpha * a' @ b', where an operand may be transposed in its matrices (transA) or
// written with the rows before the batch (transBatchA).
#include "ops/linalg/fused_matmul.h"

namespace sdx::ops {

MatMulForm fused_matmul_form(const Attributes& attributes) {
  return {.a_transposed = attributes.get_int("transA", 0) != 0,
          .b_transposed = attributes.get_int("transB", 0) != 0,
          .a_batch_transposed = attributes.get_int("transBatchA", 0) != 0,
          .b_batch_transposed = attributes.get_int("transBatchB", 0) != 0};
}

SDX_OP(fused_matmul) = {
    .name = "FusedMatMul",
    .domain = "com.microsoft",
    .infer = [](InferContext& ctx) { return infer_matmul(ctx, fused_matmul_form(ctx.attributes())); },
    .reference =
        [](KernelContext& ctx) {
          return matmul_reference(ctx, fused_matmul_form(ctx.attributes()),
                                  static_cast<double>(ctx.attr_float("alpha", 1)));
        },
    .tolerance = relative(2e-6),
};

}  // namespace sdx::ops
