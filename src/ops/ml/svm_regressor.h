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
};
Result<SvmRegressor> svm_regressor_form(const Attributes& attributes);
Status run_svm_regressor(KernelContext& ctx, const SvmRegressor& form, const SvmProducts& products);
Status svm_regressor_reference(KernelContext& ctx, const SvmRegressor& form);

}  // namespace sdx::ops
