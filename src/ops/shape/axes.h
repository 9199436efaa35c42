// Lists of axes, and the elements of vectors that carry shapes.
#pragma once

#include "ops/infer.h"

namespace sdx::ops {

// Each in [-rank, rank) to [0, rank), in the order given; an axis given twice is an error, which names `attribute`.
Result<Shape> unique_axes(std::span<const int64_t> axes, int64_t rank, std::string_view attribute = {});
// 0, 1, .. rank-1.
Shape all_axes(int64_t rank);

// Elements that are worth following: of an int32 or int64 input whose elements are known or symbolic;
// row by row where it has rank 2.
const std::vector<Dim>* tracked_elements(const InferContext& ctx, size_t i);
// Attaches them to a result of rank 0, 1 or 2.
void track(Fact& fact, std::vector<Dim> elements);

}  // namespace sdx::ops
