// QAttention: com.microsoft's Attention with 8-bit input and weights, whose scales and zero points are for the tensor,
// or for a column of the weights. As onnxruntime 1.32 answers.
#include "ops/attention/qattention.h"

#include "ops/input_rules.h"
#include "ops/quant/scaled_product.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qattention(InferContext& ctx) {
  constexpr DTypeSet kFloat = set_of(DType::f32, DType::f16);
  constexpr InputRule kRules[] = {{0, kBytes},
                                  {1, kBytes},
                                  {2, kFloat},
                                  {3, kFloat},
                                  {4, kFloat},
                                  {5, set_of(DType::i32), kOptional},
                                  {6, kBytes, kOptional},
                                  {7, kBytes, kOptional},
                                  {8, kFloat, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_projected_attention(ctx, kQAttentionInputs, ctx.dtype(2));
}

Status qattention_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &w = ctx.input(1);
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? &ctx.input(i) : nullptr; };
  SDX_ASSIGN(Tensor projected, Tensor::allocate(ctx.input(2).dtype(), Shape{x.dim(0), x.dim(1), w.dim(1)}));
  SDX_TRY(scaled_product(ctx,
                         {.a = &x,
                          .a_scale = &ctx.input(3),
                          .a_zero = optional(6),
                          .b = &w,
                          .b_scale = &ctx.input(4),
                          .b_zero = optional(7),
                          .bias = &ctx.input(2)},
                         projected));
  return run_projected_attention(ctx, kQAttentionInputs, projected, AttendPath::reference, nullptr);
}

}  // namespace

SDX_OP(qattention) = {
    .name = "QAttention",
    .domain = "com.microsoft",
    .infer = infer_qattention,
    .reference = qattention_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
