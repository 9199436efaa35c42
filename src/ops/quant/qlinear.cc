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
  const uint8_t *codes = table.data<uint8_t>(), *bytes = x.data<uint8_t>();
  const uint8_t turned = lowest == 0 ? 0 : 0x80;
  uint8_t* y = ctx.output(0).data<uint8_t>();
  return parallel_ranges(ctx, x.count(), 65536, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = codes[bytes[i] ^ turned];
  });
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

namespace {

// Whether the last axis along which the two differ in size, or have more than one element, repeats a.
bool repeats_first(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (size_t back = 1; back <= std::max(a.size(), b.size()); ++back) {
    const int64_t of_a = back <= a.size() ? a[a.size() - back] : 1, of_b = back <= b.size() ? b[b.size() - back] : 1;
    if (of_a != 1 || of_b != 1) return of_a == 1;
  }
  return false;
}

}  // namespace

Result<QlinearScales> qlinear_binary_scales(const KernelContext& ctx) {
  QlinearScales scales;
  SDX_ASSIGN(scales.a, scale_and_zero(ctx, 1));
  SDX_ASSIGN(scales.b, scale_and_zero(ctx, 4));
  SDX_ASSIGN(scales.y, scale_and_zero(ctx, 6));
  scales.repeats_a = repeats_first(ctx.input(0).shape(), ctx.input(3).shape());
  return scales;
}

Status qlinear_binary_reference(KernelContext& ctx, QlinearPair (*make)(const QlinearScales&)) {
  const Tensor &a = ctx.input(0), &b = ctx.input(3);
  Tensor& y = ctx.output(0);
  SDX_ASSIGN(const QlinearScales scales, qlinear_binary_scales(ctx));
  const QlinearPair f = make(scales);
  BroadcastWalker walker(y.shape(), {a.shape(), b.shape()});
  for (int64_t i = 0; i < y.count(); ++i, walker.next())
    store_quantized(
        y, i, f(static_cast<float>(load_i64(a, walker.operand(0))), static_cast<float>(load_i64(b, walker.operand(1)))),
        0);
  return {};
}

}  // namespace sdx::ops
