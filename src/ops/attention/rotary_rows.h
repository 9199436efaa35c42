// Rotary embedding of float32 rows by vectors.
#pragma once

#include <cstddef>

namespace sdx::ops {

// Turns 2 * half channels of a row: c and s are the cosines and sines of its pairs. Rows do not overlap.
using TurnRowF32 = void (*)(const float* c, const float* s, const float* from, float* to, size_t half);
enum class RotaryPairs : unsigned char { half_apart, neighbours };
TurnRowF32 turn_row_f32(RotaryPairs pairs);

}  // namespace sdx::ops
