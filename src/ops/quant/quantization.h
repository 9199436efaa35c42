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

// Calls f(element, count, scale, step) for runs in which the scale is constant (step 0) or advances with the element
// (step 1), for elements [begin, end) of whole rows. A row holds row_size() elements.
struct ScaleRuns {
  explicit ScaleRuns(const Granularity& granularity, int64_t count);
  int64_t rows = 0, row_size = 0;
  int step = 0;
  int64_t scale_of_row(int64_t row) const {
    return step == 0 || how.kind == Granularity::Kind::blocked ? how.scale_index(row_first(row)) : 0;
  }
  int64_t row_first(int64_t row) const;
  int64_t row_count(int64_t row) const;
  Granularity how;

 private:
  int64_t rows_per_axis_ = 1;  // blocks along the last axis
};

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
