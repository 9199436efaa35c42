// Blocks of float16 and bfloat16 to float32 and back, rounded to nearest with ties to even.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/dtype.h"

namespace sdx::ops {

void half_to_f32(DType type, const void* from, float* to, size_t count);
void f32_to_half(DType type, const float* from, void* to, size_t count);

}  // namespace sdx::ops
