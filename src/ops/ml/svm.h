// Support vector machines: kernels and libsvm's way from pairwise decisions to probabilities.
#pragma once

#include "ops/ml/ml_common.h"

namespace sdx::ops {

enum class SvmKernel : uint8_t { linear, poly, rbf, sigmoid };

struct SvmForm {
  SvmKernel kernel = SvmKernel::linear;
  double gamma = 0, coef0 = 0, degree = 0;

  static Result<SvmForm> from(const Attributes& attributes);
  double apply(const float* a, const float* b, size_t count) const;
};

// Probability that a pair's first class wins, from its decision value: 1 / (1 + exp(a * decision + b)).
double pair_probability(double decision, double a, double b);
// Probabilities of all classes from those of pairs, by minimising sum (r_ji p_i - r_ij p_j)^2 in a bounded number of
// steps. pair[i * classes + j]: i against j.
std::vector<double> class_probabilities(size_t classes, const std::vector<double>& pair);

}  // namespace sdx::ops
