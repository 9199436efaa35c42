// Dimensions of a dense tensor, row-major. Every size that comes from a model or an input goes through checked
// arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/small_vector.h"
#include "base/status.h"

namespace sdx {

using Shape = SmallVector<int64_t, 6>;

std::optional<int64_t> checked_add(int64_t a, int64_t b);
std::optional<int64_t> checked_mul(int64_t a, int64_t b);

// Product of the dimensions, 1 for a scalar; nullopt for a negative dimension or where the product of the non-zero
// dimensions overflows int64 (so that no later product over a subset can).
std::optional<int64_t> checked_count(std::span<const int64_t> dims);

// The same for shapes that were checked before.
int64_t count_of(std::span<const int64_t> dims);

// Product of dims[first, last), for shapes that were checked before.
int64_t count_range(std::span<const int64_t> dims, size_t first, size_t last);

Shape row_major_strides(std::span<const int64_t> dims);

std::string to_text(std::span<const int64_t> dims);  // "[2,3]", as in messages

// axis in [-rank, rank) to [0, rank); nullopt outside.
std::optional<int> normalize_axis(int64_t axis, int64_t rank);

// Numpy's rule. Fails with "shapes [..] and [..] do not broadcast".
Result<Shape> broadcast_shapes(std::span<const int64_t> a, std::span<const int64_t> b);

}  // namespace sdx
