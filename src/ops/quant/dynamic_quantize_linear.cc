// DynamicQuantizeLinear: with low = min(0, min x) and high = max(0, max x), scale = (high - low) / 255,
// zero_point = saturate(round(-low / scale)), y = saturate(round(x / scale) + zero_point); ties to even, in float32.
// Where x is all zero, or empty, the scale is 1 and the zero point 0, as onnxruntime has it (the standard's formula
// divides by zero there). NaN does not take part in the minimum and maximum.
#include "base/element.h"
#include "ops/quant/dynamic_quantization.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_dynamic_quantize(InferContext& ctx) {
  std::vector<Fact> facts;
  facts.push_back(tensor_fact(DType::u8, ctx.input(0).shape));
  facts.push_back(tensor_fact(DType::f32, SymShape{}));
  facts.push_back(tensor_fact(DType::u8, SymShape{}));
  return Facts(std::move(facts));
}

Status dynamic_quantize_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  float low = 0, high = 0;
  for (int64_t i = 0; i < x.count(); ++i) {
    const auto v = static_cast<float>(load_double(x, i));
    if (v < low) low = v;
    if (v > high) high = v;
  }
  const DynamicScale to = dynamic_scale(low, high);
  if (ctx.wants_output(0)) {
    for (int64_t i = 0; i < x.count(); ++i)
      store_quantized(ctx.output(0), i, static_cast<float>(load_double(x, i)) / to.scale, to.zero_point);
  }
  if (ctx.wants_output(1)) store_double(ctx.output(1), 0, to.scale);
  if (ctx.wants_output(2)) store_i64(ctx.output(2), 0, to.zero_point);
  return {};
}

}  // namespace

SDX_OP(dynamic_quantize_linear) = {
    .name = "DynamicQuantizeLinear",
    .since = 11,
    .infer = infer_dynamic_quantize,
    .reference = dynamic_quantize_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
