// SVMRegressor: y = sum_s coefficients[s] * kernel(x, support_vectors[s]) + rho, or, without support vectors,
// kernel(x, coefficients) + rho. one_class gives 1 where that is above 0, else -1. post_transform changes nothing:
// there is one score.
#include "ops/ml/svm_regressor.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_svm_regressor(InferContext& ctx) {
  SDX_ASSIGN([[maybe_unused]] const PostTransform transform, post_transform(ctx.attributes()));
  SDX_ASSIGN([[maybe_unused]] const SvmForm form, SvmForm::from(ctx.attributes()));
  if (const int64_t given = ctx.attr_int("n_supports", 0); given < 0)
    return ctx.fail("attribute n_supports is {}, at least 0 is wanted", given);
  return infer_regressor(ctx, 1);
}

}  // namespace

Result<SvmRegressor> svm_regressor_form(const Attributes& attributes) {
  SvmRegressor form;
  SDX_ASSIGN(form.svm, SvmForm::from(attributes));
  form.coefficients = attributes.get_floats("coefficients");
  const auto rho = attributes.get_floats("rho");
  if (rho.empty()) return invalid_argument("rho is empty");
  form.rho = rho[0];
  const int64_t given = attributes.get_int("n_supports", 0);
  form.has_supports = given > 0;
  form.count = given > 0 ? static_cast<size_t>(given) : 1;
  form.vectors = form.has_supports ? attributes.get_floats("support_vectors") : form.coefficients;
  form.one_class = attributes.get_int("one_class", 0) != 0;
  if (!form.has_supports) form.svm = SvmForm();
  return form;
}

Status run_svm(KernelContext& ctx, const SvmRegressor& form, const SvmProducts& products) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows rows, feature_rows(x));
  const size_t features = static_cast<size_t>(rows.features), wanted = form.has_supports ? form.count : features;
  if (form.coefficients.size() < wanted)
    return invalid_argument("{} coefficients are given, {} are wanted", form.coefficients.size(), wanted);
  if (features > 0 && form.vectors.size() / features < form.count)
    return invalid_argument("support_vectors has {} values, {} vectors of {} features are wanted", form.vectors.size(),
                            form.count, features);
  float* y = ctx.output(0).data<float>();
  return parallel_ranges(ctx, rows.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer;
    std::vector<double> values(products.lanes);
    const float* row = load_rows(x, rows.features, begin, end, buffer);
    for (int64_t n = begin; n < end; ++n, row += features) {
      products.values(row, values.data());
      const double sum =
          form.rho +
          (form.has_supports ? products.weighted_sum(form.coefficients.data(), values.data(), form.count) : values[0]);
      y[n] = form.one_class ? (sum > 0 ? 1.0f : -1.0f) : static_cast<float>(sum);
    }
  });
}

SDX_OP(svm_regressor) = {
    .name = "SVMRegressor",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_svm_regressor,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const SvmRegressor form, svm_regressor_form(ctx.attributes()));
      return reference_svm(ctx, form);
    },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
