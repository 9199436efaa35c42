// What kernels of float32 products keep of a constant second operand: panels, or a copy where panels would waste
// memory.
#pragma once

#include "ops/linalg/gemm.h"
#include "ops/op.h"

namespace sdx::ops {

struct PackedWeights : KernelState {
  PackedF32 panels;
  Tensor plain;  // defined where `panels` are not
};

// `matrix`: b as one matrix [k, n] over its own data; null where it is a batch of them.
struct WeightMatrix {
  MatrixF32 matrix;
  int64_t k = 0, n = 0;
};
using MaybeMatrix = std::optional<WeightMatrix>;
// Null where b holds nothing.
Result<std::unique_ptr<KernelState>> pack_weights(const Tensor& b, const MaybeMatrix& matrix);
int64_t packed_weights_bytes(const Tensor& b, const MaybeMatrix& matrix);

// Makes the product read what the state keeps, if there is one; b's strides must be set.
void use_packed_weights(const KernelContext& ctx, GemmF32& product);

}  // namespace sdx::ops
