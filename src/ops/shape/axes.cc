#include "ops/shape/axes.h"

namespace sdx::ops {

Result<Shape> unique_axes(std::span<const int64_t> axes, int64_t rank, std::string_view attribute) {
  const std::string where = attribute.empty() ? std::string() : formatted("attribute {}: ", attribute);
  Shape normal;
  for (const int64_t axis : axes) {
    const auto one = normalize_axis(axis, rank);
    if (!one) return invalid_argument("{}axis {} is outside [-{}, {})", where, axis, rank, rank);
    for (const int64_t earlier : normal)
      if (earlier == *one) return invalid_argument("{}axis {} is given twice", where, *one);
    normal.push_back(*one);
  }
  return normal;
}

Shape all_axes(int64_t rank) {
  Shape axes;
  for (int64_t i = 0; i < rank; ++i) axes.push_back(i);
  return axes;
}

const std::vector<Dim>* tracked_elements(const InferContext& ctx, size_t i) {
  const Fact& fact = ctx.input(i);
  if (!fact.elements || (fact.dtype != DType::i64 && fact.dtype != DType::i32)) return nullptr;
  return &*fact.elements;
}

void track(Fact& fact, std::vector<Dim> elements) {
  if (fact.has_rank() && fact.rank() <= 2 && elements.size() <= kMaxTrackedElements)
    fact.elements = std::move(elements);
}

}  // namespace sdx::ops
