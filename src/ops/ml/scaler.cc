// Scaler: y = (x - offset) * scale in float32; offset and scale are one value or one a feature (the last dimension).
#include "ops/ml/scaler.h"

#include "base/element.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_scaler(InferContext& ctx) { return tensor_fact(DType::f32, ctx.input(0).shape); }

}  // namespace

Result<ScalerLists> scaler_lists(const KernelContext& ctx) {
  static constexpr float kNoOffset = 0, kNoScale = 1;
  const Tensor& x = ctx.input(0);
  ScalerLists lists{ctx.attributes().get_floats("offset"), ctx.attributes().get_floats("scale")};
  if (lists.offset.empty()) lists.offset = {&kNoOffset, 1};
  if (lists.scale.empty()) lists.scale = {&kNoScale, 1};
  const int64_t features = x.rank() == 0 ? 1 : x.dim(x.rank() - 1);
  for (const auto& [list, what] : {std::pair(lists.offset, "offset"), std::pair(lists.scale, "scale")})
    if (list.size() != 1 && static_cast<int64_t>(list.size()) != features)
      return invalid_argument("{} has {} values, 1 or {} are wanted", what, list.size(), features);
  return lists;
}

namespace {

Status scaler_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const ScalerLists lists, scaler_lists(ctx));
  const std::span<const float> offset = lists.offset, scale = lists.scale;
  Tensor& y = ctx.output(0);
  const bool from_f64 = x.dtype() == DType::f64;
  return parallel_ranges(ctx, x.count(), 8192, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float o = offset[static_cast<size_t>(i) % offset.size()], s = scale[static_cast<size_t>(i) % scale.size()];
      const double v = load_double(x, i);
      store_double(y, i, from_f64 ? (v - o) * s : (static_cast<float>(v) - o) * s);
    }
  });
}

}  // namespace

SDX_OP(scaler) = {
    .name = "Scaler",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_scaler,
    .reference = scaler_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
