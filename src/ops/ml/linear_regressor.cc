// LinearRegressor: y[n, t] = sum_f x[n, f] * coefficients[t, f] + intercepts[t]. Of one target only PROBIT transforms
// the result: the other transforms need several scores, as onnxruntime has it.
#include "ops/ml/ml_common.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_linear_regressor(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const PostTransform transform, post_transform(ctx.attributes()));
  return infer_regressor(ctx, ctx.attr_int("targets", 1));
}

Status linear_regressor_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  SDX_ASSIGN(const PostTransform transform, post_transform(ctx.attributes()));
  const size_t targets = static_cast<size_t>(ctx.attr_int("targets", 1)), features = static_cast<size_t>(form.features);
  const auto coefficients = ctx.attributes().get_floats("coefficients"),
             intercepts = ctx.attributes().get_floats("intercepts");
  if (features != 0 ? coefficients.size() / features < targets : coefficients.size() < targets)
    return invalid_argument("{} coefficients are given, {} targets of {} features need more", coefficients.size(),
                            targets, features);
  if (!intercepts.empty() && intercepts.size() < targets)
    return invalid_argument("{} intercepts are given for {} targets", intercepts.size(), targets);
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, form.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer;
    const float* block = load_rows(x, form.features, begin, end, buffer);
    for (int64_t row = begin; row < end; ++row, block += features) {
      const std::span<float> scores(y + row * static_cast<int64_t>(targets), targets);
      for (size_t t = 0; t < targets; ++t) {
        double sum = intercepts.empty() ? 0 : intercepts[t];
        for (size_t f = 0; f < features; ++f) sum += static_cast<double>(block[f]) * coefficients[t * features + f];
        scores[t] = static_cast<float>(sum);
      }
      if (targets > 1 || transform == PostTransform::probit) transform_scores(transform, scores);
    }
  });
}

}  // namespace

SDX_OP(linear_regressor) = {
    .name = "LinearRegressor",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_linear_regressor,
    .reference = linear_regressor_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
