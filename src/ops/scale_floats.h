// Floats times one number, in double and rounded once.
#pragma once

#include <cstddef>

namespace sdx::ops {

// `from` is of any alignment, and may be `to`.
void scale_floats(const std::byte* from, double by, float* to, size_t count);

}  // namespace sdx::ops
