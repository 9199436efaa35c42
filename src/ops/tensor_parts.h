// Tensors cut into parts along an axis and put together again; any element type. For operators whose values live in
// sequences and subgraphs, not in the node's own tensors.
#pragma once

#include "base/tensor.h"

namespace sdx::ops {

// The parts one after another along `axis`, each a run of elements of the result; `shape` is the result's. A part may
// lack the axis (stacking): only its number of elements counts.
Result<Tensor> join_parts(DType type, std::span<const Tensor> parts, std::span<const int64_t> shape, int axis);

// Elements [begin, begin + count) along `axis`, under `shape` (with or without the axis). Shares memory where it can.
Result<Tensor> take_part(const Tensor& tensor, int axis, int64_t begin, int64_t count, std::span<const int64_t> shape);

// All elements zero; strings empty.
Result<Tensor> zero_tensor(DType type, std::span<const int64_t> shape);

}  // namespace sdx::ops
