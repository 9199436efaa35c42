// SVMRegressor: y = sum_s coefficients[s] * kernel(x, support_vectors[s]) + rho, or, without support vectors,
// kernel(x, coefficients) + rho. one_class gives 1 where that is above 0, else -1. post_transform changes nothing:
// there is one score.
#include "ops/ml/svm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_svm_regressor(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const PostTransform transform, post_transform(ctx.attributes()));
  SDX_ASSIGN([[maybe_unused]] const SvmForm form, SvmForm::from(ctx.attributes()));
  if (const int64_t given = ctx.attr_int("n_supports", 0); given < 0)
    return ctx.fail("attribute n_supports is {}, at least 0 is wanted", given);
  return infer_regressor(ctx, 1);
}

Status svm_regressor_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const SvmForm svm, SvmForm::from(ctx.attributes()));
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  const auto coefficients = ctx.attributes().get_floats("coefficients"), rho = ctx.attributes().get_floats("rho");
  const auto vectors = ctx.attributes().get_floats("support_vectors");
  const int64_t given = ctx.attr_int("n_supports", 0);
  const size_t features = static_cast<size_t>(form.features), supports = given > 0 ? static_cast<size_t>(given) : 0;
  if (rho.empty()) return invalid_argument("rho is empty");
  if (supports == 0 ? coefficients.size() < features : coefficients.size() < supports)
    return invalid_argument("{} coefficients are given, {} are wanted", coefficients.size(),
                            supports == 0 ? features : supports);
  if (supports > 0 && features > 0 && vectors.size() / features < supports)
    return invalid_argument("support_vectors has {} values, {} vectors of {} features are wanted", vectors.size(),
                            supports, features);
  const bool one_class = ctx.attr_int("one_class", 0) != 0;
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, form.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer;
    const float* row = load_rows(x, form.features, begin, end, buffer);
    for (int64_t n = begin; n < end; ++n, row += features) {
      double sum = rho[0];
      for (size_t s = 0; s < supports; ++s)
        sum += coefficients[s] * svm.apply(row, vectors.data() + s * features, features);
      if (supports == 0) sum += SvmForm{}.apply(row, coefficients.data(), features);
      y[n] = one_class ? (sum > 0 ? 1.0f : -1.0f) : static_cast<float>(sum);
    }
  });
}

}  // namespace

SDX_OP(svm_regressor) = {
    .name = "SVMRegressor",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_svm_regressor,
    .reference = svm_regressor_reference,
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
