// com.microsoft's operators over 8-bit tensors with a scale and a zero point each.
#pragma once

#include <functional>

#include "ops/quant/quantization.h"

namespace sdx::ops {

struct ScaleAndZero {
  float scale = 1;
  int64_t zero = 0;
};
// From inputs `scale` and `scale + 1`; an absent zero point is 0.
Result<ScaleAndZero> scale_and_zero(const KernelContext& ctx, size_t scale);

// y = quantize(f(dequantize(x))) for x at input 0 with its scale at 1, y's at 3, as a table over the 256 values of x.
Status qlinear_unary_reference(KernelContext& ctx, const std::function<double(double)>& f);
Result<Facts> infer_qlinear_unary(InferContext& ctx);

// y = saturate(round(f(a, b))) with broadcasting, for codes a at input 0, b at 3. f gives a code of y, unrounded.
using QlinearPair = std::function<float(float, float)>;
struct QlinearScales {
  ScaleAndZero a, b, y;
  bool repeats_a = false;  // innermost, a has one element where b has many
};
Result<QlinearScales> qlinear_binary_scales(const KernelContext& ctx);
Status qlinear_binary_reference(KernelContext& ctx, QlinearPair (*make)(const QlinearScales&));
Result<Facts> infer_qlinear_binary(InferContext& ctx);

// QLinearAdd in float32: y = first * ratio + (second * other + rest), each step a fused multiply-add.
struct QlinearSum {
  float ratio = 0, other = 0, rest = 0;
  bool swaps = false;  // first is b
};
QlinearSum qlinear_sum(const QlinearScales& scales);

}  // namespace sdx::ops
