// SVMClassifier. With vectors_per_class: one decision a pair of classes (libsvm's order), each a vote; the label has
// most votes. The scores are the decisions, of two classes -d and d, or with prob_a and prob_b the classes'
// probabilities. Without: one linear score a class, and the best is the label; of two classes the second one where the
// best is above 0 (at least 0.5 where no coefficient is negative), as onnxruntime has it.
#include "ops/ml/svm_classifier.h"

#include <algorithm>

namespace sdx::ops {

Result<SvmClassifier> svm_classifier_form(const Attributes& attributes) {
  SvmClassifier form;
  SDX_ASSIGN(form.svm, SvmForm::from(attributes));
  SDX_ASSIGN(form.labels, ClassLabels::from(attributes, "classlabels_ints", "classlabels_strings"));
  SDX_ASSIGN(form.transform, post_transform(attributes));
  form.per_class = attributes.get_ints("vectors_per_class");
  form.coefficients = attributes.get_floats("coefficients");
  form.vectors = attributes.get_floats("support_vectors");
  form.rho = attributes.get_floats("rho");
  form.prob_a = attributes.get_floats("prob_a");
  form.prob_b = attributes.get_floats("prob_b");
  const size_t classes = form.classes();
  if (classes == 0) return invalid_argument("neither classlabels_ints nor classlabels_strings is given");
  if (form.prob_a.size() != form.prob_b.size())
    return invalid_argument("prob_a has {} values, prob_b has {}", form.prob_a.size(), form.prob_b.size());
  form.all_positive = std::all_of(form.coefficients.begin(), form.coefficients.end(), [](float c) { return c >= 0; });
  if (form.per_class.empty()) {
    if (form.rho.empty()) return invalid_argument("rho is empty");
    form.columns = classes;
    return form;
  }
  if (form.per_class.size() != classes)
    return invalid_argument("vectors_per_class has {} entries for {} labels", form.per_class.size(), classes);
  for (const int64_t count : form.per_class) {
    if (count < 0 || static_cast<uint64_t>(count) > form.coefficients.size())
      return invalid_argument("vectors_per_class has {}, with {} coefficients", count, form.coefficients.size());
    form.starts.push_back(form.supports);
    form.supports += static_cast<size_t>(count);
  }
  form.pairs = classes * (classes - 1) / 2;
  if (form.rho.size() < form.pairs)
    return invalid_argument("rho has {} values for {} pairs", form.rho.size(), form.pairs);
  if (!form.prob_a.empty() && form.prob_a.size() < form.pairs)
    return invalid_argument("prob_a has {} values for {} pairs", form.prob_a.size(), form.pairs);
  if (form.supports > 0 && form.coefficients.size() / form.supports < classes - 1)
    return invalid_argument("{} coefficients are given, {} for each of {} support vectors are wanted",
                            form.coefficients.size(), classes - 1, form.supports);
  form.columns = !form.prob_a.empty() || classes <= 2 ? classes : form.pairs;
  return form;
}

namespace {

Result<Facts> infer_svm_classifier(InferContext& ctx) {
  SDX_ASSIGN(const SvmClassifier form, svm_classifier_form(ctx.attributes()));
  return infer_classifier(ctx, form.labels.dtype(), Dim(static_cast<int64_t>(form.columns)));
}

int32_t classify_linear(const SvmClassifier& form, const double* products, std::span<float> out) {
  for (size_t c = 0; c < out.size(); ++c) out[c] = static_cast<float>(form.rho[0] + products[c]);
  const auto best = static_cast<int32_t>(std::max_element(out.begin(), out.end()) - out.begin());
  const float top = out[static_cast<size_t>(best)];
  transform_scores(form.transform, out.size() > 1 ? out : std::span<float>());
  if (form.classes() == 2 && form.rho.size() == 1 && (form.all_positive ? top >= 0.5f : top > 0)) return 1;
  return best;
}

// Memory of one row's decisions.
struct Pairs {
  std::vector<double> decisions, chances;
  std::vector<int32_t> votes;
};

int32_t classify_pairs(const SvmClassifier& form, const double* near, const SvmProducts& products, Pairs& pairs,
                       std::span<float> out) {
  const size_t classes = form.classes();
  auto& [decisions, pair, votes] = pairs;
  decisions.clear();
  votes.assign(classes, 0);
  pair.assign(classes * classes, 0);
  const auto of_class = [&](const float* coefficients, size_t c) {
    const size_t start = form.starts[c];
    return products.weighted_sum(coefficients + start, near + start, static_cast<size_t>(form.per_class[c]));
  };
  for (size_t i = 0; i < classes; ++i) {
    for (size_t j = i + 1; j < classes; ++j) {
      const size_t p = decisions.size();
      const double sum = form.rho[p] + of_class(form.coefficients.data() + (j - 1) * form.supports, i) +
                         of_class(form.coefficients.data() + i * form.supports, j);
      ++votes[sum > 0 ? i : j];
      decisions.push_back(sum);
      if (form.prob_a.empty()) continue;
      const double wins = std::clamp(pair_probability(sum, form.prob_a[p], form.prob_b[p]), 1e-7, 1 - 1e-7);
      pair[i * classes + j] = wins;
      pair[j * classes + i] = 1 - wins;
    }
  }
  if (!form.prob_a.empty()) {
    const std::vector<double> chances = class_probabilities(classes, pair);
    std::copy(chances.begin(), chances.end(), out.begin());
    if (classes > 1) transform_scores(form.transform, out);
  } else if (classes == 2) {
    const SecondClass second = form.transform == PostTransform::none ? SecondClass::opposite : SecondClass::complement;
    write_two_classes(form.transform, second, static_cast<float>(decisions[0]), out.data());
  } else if (classes > 2) {
    std::copy(decisions.begin(), decisions.end(), out.begin());
    transform_scores(form.transform, out);
  } else {
    out[0] = 0;
  }
  return static_cast<int32_t>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

}  // namespace

Status run_svm(KernelContext& ctx, const SvmClassifier& form, const SvmProducts& products) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const FeatureRows rows, feature_rows(x));
  const size_t features = static_cast<size_t>(rows.features);
  if (features > 0 && form.all_vectors().size() / features < form.vector_count())
    return invalid_argument("{} has {} values, {} rows of {} features are wanted",
                            form.is_linear() ? "coefficients" : "support_vectors", form.all_vectors().size(),
                            form.vector_count(), features);
  SDX_ASSIGN(Tensor scores, Tensor::allocate(DType::f32, Shape{rows.rows, static_cast<int64_t>(form.columns)}));
  std::vector<int32_t> best(static_cast<size_t>(rows.rows));
  float* z = scores.data<float>();
  SDX_TRY(parallel_ranges(ctx, rows.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    std::vector<float> buffer;
    std::vector<double> values(products.lanes);
    Pairs pairs;
    const float* row = load_rows(x, rows.features, begin, end, buffer);
    for (int64_t n = begin; n < end; ++n, row += features) {
      const std::span<float> out(z + n * static_cast<int64_t>(form.columns), form.columns);
      products.values(row, values.data());
      best[static_cast<size_t>(n)] = form.is_linear() ? classify_linear(form, values.data(), out)
                                                      : classify_pairs(form, values.data(), products, pairs, out);
    }
  }));
  if (ctx.wants_output(0)) {
    SDX_ASSIGN(Tensor labels, form.labels.tensor_of(best));
    ctx.set_output(0, std::move(labels));
  }
  if (ctx.wants_output(1)) ctx.set_output(1, std::move(scores));
  return {};
}

SDX_OP(svm_classifier) = {
    .name = "SVMClassifier",
    .domain = "ai.onnx.ml",
    .since = 1,
    .infer = infer_svm_classifier,
    .reference = [](KernelContext& ctx) -> Status {
      SDX_ASSIGN(const SvmClassifier form, svm_classifier_form(ctx.attributes()));
      return reference_svm(ctx, form);
    },
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
