// QLinearAdd: y = saturate(round(a * a_ratio + (b * b_ratio + rest))), ties to even, with broadcasting, where the
// ratios are a's and b's scale over y's and rest = y_zero - (a_zero * a_ratio + b_zero * b_ratio). In float32 with
// fused multiply-adds, the operands swapped where a repeats innermost: which way a tie goes depends on it (as
// onnxruntime 1.32 answers).
#include <cmath>

#include "ops/quant/qlinear.h"

namespace sdx::ops {

QlinearSum qlinear_sum(const QlinearScales& scales) {
  const ScaleAndZero& first = scales.repeats_a ? scales.b : scales.a;
  const ScaleAndZero& second = scales.repeats_a ? scales.a : scales.b;
  QlinearSum sum{.ratio = first.scale / scales.y.scale, .other = second.scale / scales.y.scale};
  const float zeros = std::fma(sum.ratio, static_cast<float>(first.zero), sum.other * static_cast<float>(second.zero));
  sum.rest = static_cast<float>(scales.y.zero) - zeros;
  sum.swaps = scales.repeats_a;
  return sum;
}

namespace {

QlinearPair sum_of(const QlinearScales& scales) {
  return [sum = qlinear_sum(scales)](float a, float b) {
    return std::fma(sum.swaps ? b : a, sum.ratio, std::fma(sum.swaps ? a : b, sum.other, sum.rest));
  };
}

Status qlinear_add_reference(KernelContext& ctx) { return qlinear_binary_reference(ctx, sum_of); }

}  // namespace

SDX_OP(qlinear_add) = {
    .name = "QLinearAdd",
    .domain = "com.microsoft",
    .infer = infer_qlinear_binary,
    .reference = qlinear_add_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
