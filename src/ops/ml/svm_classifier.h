// What SVMClassifier's contract and kernel share.
#pragma once

#include "ops/ml/svm.h"

namespace sdx::ops {

// Made of attributes, which its spans point into.
struct SvmClassifier {
  SvmForm svm;
  ClassLabels labels;
  PostTransform transform = PostTransform::none;
  std::span<const int64_t> per_class;
  std::span<const float> coefficients, vectors, rho, prob_a, prob_b;
  std::vector<size_t> starts;  // of each class among the support vectors
  size_t supports = 0, pairs = 0, columns = 0;
  bool all_positive = true;
  size_t classes() const { return labels.size(); }

  // What rows are multiplied with: support vectors, or without them one vector of coefficients a class.
  bool is_linear() const { return per_class.empty(); }
  SvmForm vectors_form() const { return is_linear() ? SvmForm() : svm; }
  std::span<const float> all_vectors() const { return is_linear() ? coefficients : vectors; }
  size_t vector_count() const { return is_linear() ? classes() : supports; }
};
Result<SvmClassifier> svm_classifier_form(const Attributes& attributes);
Status run_svm(KernelContext& ctx, const SvmClassifier& form, const SvmProducts& products);

}  // namespace sdx::ops
