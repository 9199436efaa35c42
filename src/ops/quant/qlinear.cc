#include "ops/quant/qlinear.h"
#include "ops/input_rules.h"

#include "ops/reference.h"

namespace sdx::ops {

Result<ScaleAndZero> scale_and_zero(const KernelContext& ctx, size_t scale) {
  ScaleAndZero made;
  for (const size_t i : {scale, scale + 1})
    if (ctx.has_input(i) && ctx.input(i).count() != 1)
      return invalid_argument("input {} has shape {}, a scalar is wanted", i, to_text(ctx.input(i).shape()));
  made.scale = static_cast<float>(load_double(ctx.input(scale), 0));
  if (ctx.has_input(scale + 1)) made.zero = load_i64(ctx.input(scale + 1), 0);
  return made;
}

Result<Facts> infer_qlinear_unary(InferContext& ctx) {
  constexpr InputRule kRules[] = {
      {0, kBytes}, {1, set_of(DType::f32)}, {2, kBytes, kOptional}, {3, set_of(DType::f32)}, {4, kBytes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  return infer_same_as_first(ctx);
}

Status qlinear_unary_reference(KernelContext& ctx, const std::function<double(double)>& f) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const ScaleAndZero from, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 3));
  SDX_ASSIGN(Tensor table, Tensor::allocate(x.dtype(), Shape{256}));
  const int64_t lowest = x.dtype() == DType::i8 ? -128 : 0;
  for (int64_t code = 0; code < 256; ++code) {
    const float value = static_cast<float>(code + lowest - from.zero) * from.scale;
    store_quantized(table, code, static_cast<float>(f(value)) / to.scale, static_cast<double>(to.zero));
  }
  const uint8_t* codes = table.data<uint8_t>();
  uint8_t* y = ctx.output(0).data<uint8_t>();
  for (int64_t i = 0; i < x.count(); ++i) y[i] = codes[load_i64(x, i) - lowest];
  return {};
}

Result<Facts> infer_qlinear_binary(InferContext& ctx) {
  constexpr InputRule kRules[] = {{0, kBytes},
                                  {1, set_of(DType::f32)},
                                  {2, kBytes, kOptional},
                                  {3, kBytes},
                                  {4, set_of(DType::f32)},
                                  {5, kBytes, kOptional},
                                  {6, set_of(DType::f32)},
                                  {7, kBytes, kOptional}};
  SDX_TRY(check_inputs(ctx, kRules));
  if (!ctx.has_rank(0) || !ctx.has_rank(3)) return tensor_fact(ctx.dtype(0), std::nullopt);
  SDX_ASSIGN(SymShape shape, ctx.broadcast(*ctx.input(0).shape, *ctx.input(3).shape));
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status qlinear_binary_reference(KernelContext& ctx, QlinearPair (*make)(float a_scale, float b_scale, float y_scale)) {
  const Tensor &a = ctx.input(0), &b = ctx.input(3);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const ScaleAndZero from_a, scale_and_zero(ctx, 1));
  SDX_ASSIGN(const ScaleAndZero from_b, scale_and_zero(ctx, 4));
  SDX_ASSIGN(const ScaleAndZero to, scale_and_zero(ctx, 6));
  const QlinearPair f = make(from_a.scale, from_b.scale, to.scale);
  BroadcastWalker walker(y.shape(), {a.shape(), b.shape()});
  for (int64_t i = 0; i < y.count(); ++i, walker.next()) {
    const auto va = static_cast<int32_t>(load_i64(a, walker.operand(0)) - from_a.zero);
    const auto vb = static_cast<int32_t>(load_i64(b, walker.operand(1)) - from_b.zero);
    store_quantized(y, i, f(va, vb), static_cast<double>(to.zero));
  }
  return {};
}

}  // namespace sdx::ops
