// The largest magnitude among floats of 16 bits, as a code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdx::ops {

// Of the codes without their sign, which are in the order of the numbers; those beyond `infinity` (NaN) are left out.
// `from` is of any alignment.
uint16_t largest_code(const std::byte* from, size_t count, uint16_t infinity);

}  // namespace sdx::ops
