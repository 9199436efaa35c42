// Conversion of elements between native types and booleans, and what of it 16-bit floats need: loops in plain C++,
// compiled once per SIMD level.
#pragma once

#include <cstddef>

#include "base/dtype.h"

namespace sdx::ops {

using CastLoop = void (*)(const void* from, void* to, size_t count);
// For booleans, integers of whole bytes, float32 and float64, as cast_elements.h says. Null for other types.
CastLoop cast_loop(DType from, DType to);
// To float32, rounded so that rounding it to float16 gives what rounding the number itself would: integers of 32 and
// 64 bits, float64.
CastLoop odd_f32_loop(DType from);

}  // namespace sdx::ops
