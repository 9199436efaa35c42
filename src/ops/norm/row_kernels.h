// Kernels over one float32 row, for the normalisations. Moments are kept in double.
#pragma once

#include <cstddef>

namespace sdx::ops {

struct RowMoments {
  double mean, variance;
};

struct RowKernels {
  RowMoments (*moments)(const float* x, size_t count);
  double (*mean_square)(const float* x, size_t count);
  // y = (x - center) * factor * scale[i] + bias[i]; bias null: nothing is added. y may be x.
  void (*apply)(const float* x, double center, double factor, const float* scale, const float* bias, float* y,
                size_t count);
  // y = (x - center) * factor + bias
  void (*apply_scalars)(const float* x, double center, double factor, double bias, float* y, size_t count);
  // y = a + b, plus c where it is not null. y may be a.
  void (*add)(const float* a, const float* b, const float* c, float* y, size_t count);
  // y = (x - centers[i]) * factors[i] + biases[i]
  void (*scale_columns)(const float* x, const float* centers, const float* factors, const float* biases, float* y,
                        size_t count);
};
RowKernels row_kernels();  // for the best instruction set there is

}  // namespace sdx::ops
