// What SVMRegressor's contract and kernel share.
#pragma once

#include "ops/ml/svm.h"

namespace sdx::ops {

// Made of attributes, which its spans point into. Without support vectors, the coefficients are the one vector.
struct SvmRegressor {
  SvmForm svm;
  std::span<const float> coefficients, vectors;
  size_t count = 0;  // of vectors
  double rho = 0;
  bool has_supports = false, one_class = false;

  SvmForm vectors_form() const { return svm; }
  std::span<const float> all_vectors() const { return vectors; }
  size_t vector_count() const { return count; }
};
Result<SvmRegressor> svm_regressor_form(const Attributes& attributes);
Status run_svm(KernelContext& ctx, const SvmRegressor& form, const SvmProducts& products);

}  // namespace sdx::ops
