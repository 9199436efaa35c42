// Rows of any floating type, or of bytes, as doubles and back.
#pragma once

#include "base/tensor.h"
#include "ops/pool/row_steps.h"

namespace sdx::ops {

void load_doubles(const RowMaps& maps, const Tensor& x, int64_t from, size_t count, double* to);
void store_doubles(const RowMaps& maps, const double* from, size_t count, Tensor& y, int64_t at);

}  // namespace sdx::ops
