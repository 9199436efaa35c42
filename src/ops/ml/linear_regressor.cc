// LinearRegressor: y[n, t] = sum_f x[n, f] * coefficients[t, f] + intercepts[t]. Of one target only PROBIT transforms
// the result: the other transforms need several scores, as onnxruntime has it.
#include "ops/ml/linear_regressor.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_linear_regressor(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const PostTransform transform, post_transform(ctx.attributes()));
  return infer_regressor(ctx, ctx.attr_int("targets", 1));
}

}  // namespace

Status run_linear_regressor(KernelContext& ctx, DotsOfRows dots) {
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
    std::vector<double> sums(static_cast<size_t>(end - begin) * targets);
    dots(block, static_cast<size_t>(end - begin), coefficients.data(), targets, features, sums.data());
    const double* sum = sums.data();
    for (int64_t row = begin; row < end; ++row) {
      const std::span<float> scores(y + row * static_cast<int64_t>(targets), targets);
      for (size_t t = 0; t < targets; ++t, ++sum)
        scores[t] = static_cast<float>(*sum + (intercepts.empty() ? 0 : intercepts[t]));
      if (targets > 1 || transform == PostTransform::probit) transform_scores(transform, scores);
    }
  });
}

SDX_OP(linear_regressor) = {
    .name = "LinearRegressor",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_linear_regressor,
    .reference = [](KernelContext& ctx) { return run_linear_regressor(ctx, plain_dots); },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
