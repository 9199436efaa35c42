// QGemm: y = (alpha * a_scale * b_scale) * ((a - a_zero) (b - b_zero) + c) in float32, quantized where y_scale is
// given. b's scale and zero point are for the tensor or a column; c broadcasts. As onnxruntime 1.32 answers, alpha
// scales c too.
#include "ops/input_rules.h"
#include "ops/quant/matmul_shape.h"
#include "ops/quant/quantization.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_qgemm(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kBytes},
                                  {1, set_of(DType::f32)},
                                  {2, kBytes},
                                  {3, kBytes},
                                  {4, set_of(DType::f32)},
                                  {5, kBytes},
                                  {6, set_of(DType::i32), kOptional},
                                  {7, set_of(DType::f32), kOptional},
                                  {8, kBytes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  const DType type = ctx.has_input(8) ? ctx.dtype(8) : DType::f32;
  if (!ctx.has_rank(0) || !ctx.has_rank(3)) return tensor_fact(type, ctx.unknown_shape(2));
  if (ctx.rank(0) != 2 || ctx.rank(3) != 2)
    return ctx.fail("A has rank {}, B has rank {}, 2 is wanted", ctx.rank(0), ctx.rank(3));
  if (ctx.has_input(7) != ctx.has_input(8)) return ctx.fail("y_scale and y_zero_point must be given together");
  const int a_rows = ctx.attr_int("transA", 0) != 0 ? 1 : 0, b_rows = ctx.attr_int("transB", 0) != 0 ? 1 : 0;
  SDX_TRY(ctx.same(ctx.dim(0, 1 - a_rows), ctx.dim(3, b_rows), "inner dimensions").status());
  const SymShape shape{ctx.dim(0, a_rows), ctx.dim(3, 1 - b_rows)};
  if (ctx.has_input(6) && ctx.has_rank(6)) {
    SDX_TRY(ctx.broadcast(shape, *ctx.input(6).shape).status());
    if (ctx.rank(6) > 2) return ctx.fail("C has rank {}, at most 2 is wanted", ctx.rank(6));
  }
  return tensor_fact(type, shape);
}

Status qgemm_reference(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(3);
  Tensor& y = ctx.output(0);
  const bool a_turned = ctx.attr_int("transA", 0) != 0, b_turned = ctx.attr_int("transB", 0) != 0;
  const int64_t m = y.dim(0), n = y.dim(1), depth = a.dim(a_turned ? 0 : 1);
  SDX_ASSIGN(const auto b_scales, line_parameters(ctx.input(4), n, 1, "b_scale"));
  SDX_ASSIGN(const auto b_zeros, line_parameters(ctx.input(5), n, 1, "b_zero_point"));
  for (const size_t i : {1, 2, 7, 8})
    if (ctx.has_input(i) && ctx.input(i).count() != 1) return invalid_argument("input {} must be a scalar", i);
  const float alpha = ctx.attr_float("alpha", 1);
  const auto a_scale = static_cast<float>(load_double(ctx.input(1), 0));
  const int64_t a_zero = load_i64(ctx.input(2), 0);
  const Shape none{1};
  BroadcastWalker walker(y.shape(), {ctx.has_input(6) ? ctx.input(6).shape() : none});
  for (int64_t index = 0; index < m * n; ++index, walker.next()) {
    const int64_t i = index / n, j = index % n, b_zero = load_i64(ctx.input(5), b_zeros.index(0, j));
    int64_t sum = ctx.has_input(6) ? load_i64(ctx.input(6), walker.operand(0)) : 0;
    for (int64_t k = 0; k < depth; ++k)
      sum += (load_i64(a, a_turned ? k * m + i : i * depth + k) - a_zero) *
             (load_i64(b, b_turned ? j * depth + k : k * n + j) - b_zero);
    const float scale = alpha * a_scale * static_cast<float>(load_double(ctx.input(4), b_scales.index(0, j)));
    const auto total = static_cast<float>(static_cast<int32_t>(sum));
    if (!ctx.has_input(7)) {
      store_double(y, index, total * scale);
      continue;
    }
    const float multiplier = scale / static_cast<float>(load_double(ctx.input(7), 0));
    store_quantized(y, index, total * multiplier, load_double(ctx.input(8), 0));
  }
  return {};
}

}  // namespace

SDX_OP(qgemm) = {
    .name = "QGemm",
    .domain = "com.microsoft",
    .infer = infer_qgemm,
    .reference = qgemm_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
