// Support vector machines: kernels and libsvm's way from pairwise decisions to probabilities.
#pragma once

#include "base/function_ref.h"
#include "ops/ml/ml_common.h"

namespace sdx::ops {

enum class SvmKernel : uint8_t { linear, poly, rbf, sigmoid };

struct SvmForm {
  SvmKernel kernel = SvmKernel::linear;
  double gamma = 0, coef0 = 0, degree = 0;

  static Result<SvmForm> from(const Attributes& attributes);
  double apply(const float* a, const float* b, size_t count) const;
  // apply(row, each of the vectors)
  void apply_all(const float* row, const float* vectors, size_t count, size_t features, double* values) const;
};

// Rows of features against vectors: how a reference or a kernel computes what the two operators need.
struct SvmProducts {
  // The kernel's values of a row and each vector; room for `lanes` of them.
  FunctionRef<void(const float* row, double* values)> values;
  double (*weighted_sum)(const float* weights, const double* values, size_t count);
  size_t lanes;
};
double plain_weighted_sum(const float* weights, const double* values, size_t count);

// Vector after vector. Form: SvmClassifier or SvmRegressor, each with a run_svm of its own.
template <typename Form>
Status reference_svm(KernelContext& ctx, const Form& form) {
  SDX_ASSIGN(const FeatureRows rows, feature_rows(ctx.input(0)));
  const SvmForm kernel = form.vectors_form();
  const auto values = [&](const float* row, double* to) {
    kernel.apply_all(row, form.all_vectors().data(), form.vector_count(), static_cast<size_t>(rows.features), to);
  };
  return run_svm(ctx, form, {values, plain_weighted_sum, form.vector_count()});
}

// Probability that a pair's first class wins, from its decision value: 1 / (1 + exp(a * decision + b)).
double pair_probability(double decision, double a, double b);
// Probabilities of all classes from those of pairs, by minimising sum (r_ji p_i - r_ij p_j)^2 in a bounded number of
// steps. pair[i * classes + j]: i against j.
std::vector<double> class_probabilities(size_t classes, const std::vector<double>& pair);

}  // namespace sdx::ops
