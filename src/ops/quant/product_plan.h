// An integer matrix product as a whole node: batches, zero points, packing of b (once, where it is constant).
#pragma once

#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/quant/integer_gemm.h"
#include "ops/quant/matmul_shape.h"

namespace sdx::ops {

inline constexpr std::string_view kIntegerPanelsForm = "i8_quad_panels.1";  // pack_panels

// The panels of a constant b, one matrix after another; null for one that is not, or is empty. `turned`: b has the
// columns of the product as rows.
enum class Turned : uint8_t { no, yes };
Result<std::unique_ptr<KernelState>> prepare_panels(const Tensor* b, Turned turned = Turned::no);
int64_t packed_panels_bytes(const Tensor* b, Turned turned = Turned::no);

struct ProductOperands {
  const Tensor* a = nullptr;
  const Tensor* a_zero = nullptr;  // null: 0
  const Tensor* b = nullptr;
  const Tensor* b_zero = nullptr;
  const int32_t* column_bias = nullptr;  // added to the sums
  // Two axes only:
  Turned a_turned = Turned::no, b_turned = Turned::no;
};

// A finished block of sums. Rows count through all matrices of y; `matrix` is the index of a's and b's.
struct ProductBlock {
  int64_t first_row, rows, column, columns, width;  // width: columns of y
  int64_t row_in_matrix, a_matrix, b_matrix;
  int32_t* c;
  int64_t c_stride;
};
Status run_product(KernelContext& ctx, const ProductOperands& operands, ScratchParts scratch,
                   FunctionRef<void(const ProductBlock&)> done);
// Scratch memory of a product of inputs `a` and `b`; `a_type`: what a is by then.
Dim product_scratch(const ScratchFacts& facts, size_t a, size_t b, DType a_type, Turned a_turned = Turned::no,
                    Turned b_turned = Turned::no);

// y = sums * (a_scale * b_scale) + bias in float32; b_scale and bias as in ScaledProduct.
struct FloatTail {
  float a_scale = 1;
  const Tensor* b_scale = nullptr;
  const Tensor* bias = nullptr;  // may be null
  float* y = nullptr;
};
Status run_float_product(KernelContext& ctx, const ProductOperands& operands, const FloatTail& tail,
                         ScratchParts scratch);
Dim float_product_scratch(const ScratchFacts& facts, size_t a, size_t b, DType a_type);
// Float32 scales, one for a, and one for b or one a column.
Verdict has_float_tail(const NodeFacts& facts, size_t a_scale, size_t b_scale);

}  // namespace sdx::ops
