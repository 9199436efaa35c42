// What MatMul and its relatives share: shapes and strides of the operands, the rule, the reference, the float32 run.
#pragma once

#include "ops/linalg/gemm.h"
#include "ops/op.h"

namespace sdx::ops {

// How the operands stand. Batch transposed: dimensions [m, batch..., k] instead of [batch..., m, k].
struct MatMulForm {
  bool a_transposed = false, b_transposed = false;
  bool a_batch_transposed = false, b_batch_transposed = false;
};

// c[batch, i, j] = sum over p of a[batch, i, p] * b[batch, p, j], with strides in elements; 0 where a batch repeats.
struct MatMulSizes {
  int64_t m = 1, n = 1, k = 1;
  Shape batch = {}, a_batch = {}, b_batch = {};  // sizes and strides of the batch dimensions
  int64_t a_row = 0, a_column = 1, b_row = 0, b_column = 1;

  int64_t batches() const { return count_of(batch); }
  // Offsets of the operands in one batch.
  std::pair<int64_t, int64_t> offsets(int64_t index) const;
};
MatMulSizes matmul_sizes(std::span<const int64_t> a, std::span<const int64_t> b, const MatMulForm& form);

Result<Facts> infer_matmul(InferContext& ctx, const MatMulForm& form);
// y = alpha * a @ b over every numeric type.
Status matmul_reference(KernelContext& ctx, const MatMulForm& form, double alpha);

// y = a @ b over doubles and integers of 32 and 64 bits (typed_products.h).
Status run_matmul_typed(KernelContext& ctx, const MatMulForm& form);

// What is kept of a constant second operand; null of another.
Result<std::unique_ptr<KernelState>> prepare_matmul_f32(const NodeFacts& facts, const MatMulForm& form);
int64_t matmul_packed_bytes(const NodeFacts& facts, const MatMulForm& form);
// `bias`: added to every row; null: none. `finish`: as GemmF32's.
Status run_matmul_f32(KernelContext& ctx, const MatMulForm& form, const float* bias = nullptr,
                      const GemmF32::Finish* finish = nullptr);

}  // namespace sdx::ops
