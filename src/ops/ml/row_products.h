// Products of rows of features with vectors, summed in double, at the SIMD level in force.
#pragma once

#include <cstddef>
#include <vector>

#include "ops/ml/svm.h"

namespace sdx::ops {

// Vectors of features, feature by feature: columns[f * lanes + i] of vector i, zero beyond `count`.
struct FeatureColumns {
  size_t count = 0, features = 0, lanes = 0;
  std::vector<float> columns;
};
FeatureColumns feature_columns(const float* vectors, size_t count, size_t features);

struct RowProducts {
  DotsOfRows dots;
  double (*weighted_sum)(const float* weights, const double* values, size_t count);
  // values[i] = the kernel's value of the row and vector i; room for `lanes` of them.
  void (*svm_values)(const SvmForm& form, const float* row, const FeatureColumns& vectors, double* values);
};
const RowProducts& row_products();

}  // namespace sdx::ops
