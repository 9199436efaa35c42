// Sums over a row of float32, in double.
#pragma once

#include <cstddef>

namespace sdx::ops {

struct RowSumsF32 {
  double (*magnitudes)(const float* x, size_t count);
  double (*squares)(const float* x, size_t count);
};
RowSumsF32 row_sums_f32();

}  // namespace sdx::ops
