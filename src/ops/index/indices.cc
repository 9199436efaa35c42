#include "ops/index/indices.h"

#include <cstring>

namespace sdx::ops {

Status check_beside_axis(InferContext& ctx, int axis) {
  const Fact &data = ctx.input(0), &indices = ctx.input(1);
  for (int i = 0; i < data.rank(); ++i) {
    if (i == axis) continue;
    if (ctx.symbols().less(data.dim(i), indices.dim(i)) == Truth::yes)
      return ctx.fail("dimension {} of the indices is {}, larger than the data's {}", i,
                      ctx.symbols().to_text(indices.dim(i)), ctx.symbols().to_text(data.dim(i)));
    ctx.assume({Constraint::Kind::at_least, data.dim(i), indices.dim(i)});
  }
  return {};
}

namespace {

// Of int32 and int64 tensors of any alignment.
template <typename Index>
int64_t index_at(const Tensor& indices, size_t i) {
  Index index;
  std::memcpy(&index, indices.bytes() + i * sizeof(Index), sizeof index);
  return index;
}

template <typename Index>
Result<std::vector<int64_t>> indices_of(const Tensor& indices, int64_t size) {
  std::vector<int64_t> list(static_cast<size_t>(indices.count()));
  bool outside = false;
  for (size_t i = 0; i < list.size(); ++i) {
    const int64_t index = index_at<Index>(indices, i);
    outside |= index < -size || index >= size;
    list[i] = index < 0 ? index + size : index;
  }
  for (size_t i = 0; outside; ++i) {
    const int64_t index = index_at<Index>(indices, i);
    if (index < -size || index >= size) return invalid_argument("index {} is outside [-{}, {})", index, size, size);
  }
  return list;
}

}  // namespace

Result<std::vector<int64_t>> checked_indices(const Tensor& indices, int64_t size) {
  return indices.dtype() == DType::i32 ? indices_of<int32_t>(indices, size) : indices_of<int64_t>(indices, size);
}

Result<std::vector<int64_t>> checked_tuples(const Tensor& indices, int64_t width, std::span<const int64_t> shape) {
  const int64_t count =
      width == 0 ? count_range(indices.shape(), 0, indices.shape().size() - 1) : indices.count() / width;
  std::vector<int64_t> list(static_cast<size_t>(count));
  for (size_t i = 0; i < list.size(); ++i) {
    int64_t at = 0;
    for (size_t k = 0; k < static_cast<size_t>(width); ++k) {
      const int64_t size = shape[k], index = index_at<int64_t>(indices, i * static_cast<size_t>(width) + k);
      if (index < -size || index >= size)
        return invalid_argument("index {} is outside [-{}, {}) of dimension {}", index, size, size, k);
      at = at * size + (index < 0 ? index + size : index);
    }
    list[i] = at;
  }
  return list;
}

Status write_mixed(KernelContext& ctx, const Tensor& a, const Tensor& b, std::span<const int64_t> from,
                   std::span<const int64_t> shape) {
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  for (size_t i = 0; i < from.size();) {
    size_t end = i + 1;
    const int64_t step = from[i] < 0 ? -1 : 1;
    while (end < from.size() && (from[end] < 0) == (from[i] < 0) && from[end] == from[end - 1] + step) ++end;
    const auto run = static_cast<int64_t>(end - i);
    if (from[i] < 0) {
      writer.append(b, ~from[i], run);
    } else {
      writer.append(a, from[i], run);
    }
    i = end;
  }
  return writer.finish();
}

}  // namespace sdx::ops
