#include "base/shape.h"

#include <algorithm>

namespace sdx {

std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<int64_t> checked_count(std::span<const int64_t> dims) {
  int64_t nonzero = 1;
  bool empty = false;
  for (const int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(nonzero, dim, &nonzero)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : nonzero;
}

int64_t count_of(std::span<const int64_t> dims) { return count_range(dims, 0, dims.size()); }

int64_t count_range(std::span<const int64_t> dims, size_t first, size_t last) {
  int64_t count = 1;
  for (size_t i = first; i < last; ++i) count *= dims[i];
  return count;
}

Shape row_major_strides(std::span<const int64_t> dims) {
  Shape strides(dims.size());
  int64_t stride = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(dims[i], 1);
  }
  return strides;
}

std::string to_text(std::span<const int64_t> dims) {
  return "[" + join(dims, ",", [](int64_t dim) { return std::to_string(dim); }) + "]";
}

std::optional<int> normalize_axis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Result<Shape> broadcast_shapes(std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto longer = a.size() >= b.size() ? a : b;
  const auto shorter = a.size() >= b.size() ? b : a;
  Shape out(longer);
  const size_t offset = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t x = longer[offset + i], y = shorter[i];
    if (x != y && x != 1 && y != 1)
      return invalid_argument("shapes {} and {} do not broadcast", to_text(a), to_text(b));
    out[offset + i] = x == 1 ? y : x;
  }
  return out;
}

}  // namespace sdx
