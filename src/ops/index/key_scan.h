// Loops of selecting kernels over contiguous numbers, for each SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// out[i] = ordered_bits(x[i]) ^ flip.
void ordered_floats(const float* x, size_t count, uint32_t flip, uint32_t* out);

// Writes the positions of the numbers above `least`, ascending, and returns how many there are. `positions` has room
// for all, and kScanSlack more.
inline constexpr size_t kScanSlack = 64;
size_t positions_above(const uint32_t* x, size_t count, uint32_t least, uint32_t* positions);
size_t positions_above(const uint64_t* x, size_t count, uint64_t least, uint32_t* positions);
size_t positions_above(const float* x, size_t count, float least, uint32_t* positions);  // NaN is not

}  // namespace sdx::ops
