// What quantizing operators share: which scale belongs to an element, rounding, saturation.
#pragma once

#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {

// One scale for the tensor, one for each index of an axis, or one for each block of `block` indices along it.
// Elements are seen as [outer, axis, inner], scales as [outer, scales, inner] when blocked.
struct Granularity {
  enum class Kind : uint8_t { tensor, axis, blocked } kind = Kind::tensor;
  int64_t axis_size = 1, inner = 1, block = 1, scales = 1;

  int64_t scale_index(int64_t element) const {
    if (kind == Kind::tensor) return 0;
    const int64_t at = element / inner % axis_size;
    if (kind == Kind::axis) return at;
    const int64_t outer = element / (inner * axis_size);
    return (outer * scales + at / block) * inner + element % inner;
  }
};

// From the shapes of the tensor and its scale. A scale of one element is one for the tensor.
Result<Granularity> granularity(std::span<const int64_t> shape, std::span<const int64_t> scale, int64_t axis,
                                int64_t block_size);

// Elements in a row whose scales lie in a row too: those from `scale` on, each for `run` elements (the last run may be
// shorter), or where `step` is 1 each for one element.
struct ScaledPiece {
  int64_t at = 0, count = 0, scale = 0;
  int step = 0;
  int64_t run = 0;
};
// The longest such piece from element `at` on that ends before `end`.
ScaledPiece scaled_piece(const Granularity& granularity, int64_t at, int64_t end);

// Ties to even.
double round_half_even(double value);
// To the nearest value of a floating type; other types keep the value.
double rounded_to(DType type, double value);

struct IntegerRange {
  double low, high;
};
IntegerRange integer_range(DType type);  // up to 32 bits

// Integers: rounds half to even, adds the zero point, saturates; NaN gives the lowest value. Floating types: adds the
// zero point (nothing when it is 0, so that -0 stays) and rounds, beyond the range as `overflow` says.
void store_quantized(Tensor& y, int64_t index, double value, double zero_point, Overflow overflow = Overflow::saturate);

}  // namespace sdx::ops
