// What the contract and the kernel of AffineGrid share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Whether coordinates -1 and 1 are the outer ends of the first and last elements, or their centers.
enum class Corners : uint8_t { at_ends, at_centers };
Corners corners_of(const Attributes& attributes);
// Of element `at` of an axis.
double grid_coordinate(int64_t at, int64_t size, Corners corners);

}  // namespace sdx::ops
