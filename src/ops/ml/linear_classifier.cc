// LinearClassifier: scores z[n, c] = sum_f x[n, f] * coefficients[c, f] + intercepts[c]; the label is that of the
// largest score. One score for two labels: the second label where it is above 0, and two columns (see SecondClass).
// Without labels one score gives 1 where it is above 0, else 0.
#include "ops/ml/linear_classifier.h"

#include <algorithm>

namespace sdx::ops {

Result<LinearClassifierForm> linear_classifier_form(const Attributes& attributes) {
  LinearClassifierForm form;
  SDX_ASSIGN(form.labels, ClassLabels::from(attributes, "classlabels_ints", "classlabels_strings"));
  SDX_ASSIGN(form.transform, post_transform(attributes));
  form.coefficients = attributes.get_floats("coefficients");
  form.intercepts = attributes.get_floats("intercepts");
  form.scores = !form.intercepts.empty() ? form.intercepts.size() : std::max<size_t>(form.labels.size(), 1);
  const size_t labels = form.labels.size();
  const bool binary = form.scores == 1 && labels == 2;
  if (labels != form.scores && !binary && !(labels == 0 && form.scores == 1))
    return invalid_argument("{} labels are given for {} scores", labels, form.scores);
  form.columns = binary ? 2 : form.scores;
  return form;
}

namespace {

Result<Facts> infer_linear_classifier(InferContext& ctx) {
  SDX_ASSIGN(const LinearClassifierForm form, linear_classifier_form(ctx.attributes()));
  return infer_classifier(ctx, form.label_type(), Dim(static_cast<int64_t>(form.columns)));
}

}  // namespace

Status run_linear_classifier(KernelContext& ctx, const LinearClassifierForm& form, DotsOfRows dots) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows rows, feature_rows(x));
  const size_t features = static_cast<size_t>(rows.features), columns = form.columns;
  if (features != 0 ? form.coefficients.size() / features < form.scores : form.coefficients.size() < form.scores)
    return invalid_argument("{} coefficients are given, {} scores of {} features need more", form.coefficients.size(),
                            form.scores, features);
  SDX_ASSIGN(Tensor scores, Tensor::allocate(DType::f32, Shape{rows.rows, static_cast<int64_t>(columns)}));
  std::vector<int32_t> classes(static_cast<size_t>(rows.rows));
  float* z = scores.data<float>();
  SDX_TRY(parallel_ranges(ctx, rows.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer;
    const float* block = load_rows(x, rows.features, begin, end, buffer);
    std::vector<double> sums(static_cast<size_t>(end - begin) * form.scores);
    dots(block, static_cast<size_t>(end - begin), form.coefficients.data(), form.scores, features, sums.data());
    const double* sum = sums.data();
    for (int64_t row = begin; row < end; ++row) {
      float* own = z + row * static_cast<int64_t>(columns);
      for (size_t c = 0; c < form.scores; ++c, ++sum)
        own[c] = static_cast<float>(*sum + (form.intercepts.empty() ? 0 : form.intercepts[c]));
      int32_t& best = classes[static_cast<size_t>(row)];
      if (form.scores > 1) {
        best = static_cast<int32_t>(std::max_element(own, own + form.scores) - own);
        transform_scores(form.transform, {own, columns});
      } else {
        best = own[0] > 0 ? 1 : 0;
        if (columns == 2) {
          write_two_classes(form.transform, SecondClass::complement, own[0], own);
        } else if (form.transform == PostTransform::probit) {
          own[0] = probit(own[0]);
        }
      }
    }
  }));
  if (ctx.wants_output(0)) {
    if (form.labels.size() == 0) {
      for (size_t i = 0; i < classes.size(); ++i) ctx.output(0).data<int64_t>()[i] = classes[i];
    } else {
      if (form.labels.size() == 1) std::fill(classes.begin(), classes.end(), 0);
      SDX_ASSIGN(Tensor labels, form.labels.tensor_of(classes));
      ctx.set_output(0, std::move(labels));
    }
  }
  if (ctx.wants_output(1)) ctx.set_output(1, std::move(scores));
  return {};
}

SDX_OP(linear_classifier) = {
    .name = "LinearClassifier",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_linear_classifier,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const LinearClassifierForm form, linear_classifier_form(ctx.attributes()));
      return run_linear_classifier(ctx, form, plain_dots);
    },
    .records_constraints = true,
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
