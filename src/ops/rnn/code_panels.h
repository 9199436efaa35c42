// Matrices of codes with scales and zero points, whose product with rows of uint8 codes is made in integers.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/quant/dynamic_quantization.h"
#include "ops/quant/integer_gemm.h"

namespace sdx::ops {

struct CodePanels {
  Tensor bytes, sums, zeros, scales;  // pack_panels; a number a column of whole panels
  int64_t k = 0, n = 0;               // k: whole fours
  bool has_zeros = false;

  bool is_empty() const { return n == 0; }
  static bool takes(int64_t k) { return k % kDepthStep == 0; }
  static int64_t byte_count(int64_t k, int64_t n) { return panels_of(n) * (panel_bytes(k) + 3 * 16 * 4); }
  // Of one matrix [k, n]: scales and zero points by column.
  static Result<CodePanels> create(const Matrix8& b, int64_t k, int64_t n,
                                   FunctionRef<std::pair<float, int32_t>(int64_t)> parameters);
};

struct CodeRows8 {
  const uint8_t* codes = nullptr;  // [rows, k]
  int64_t rows = 0;
  DynamicScale by;
};
// y[rows, n] += product. Of scratch memory: the columns of whole panels, and the rows.
Status add_product(KernelContext& ctx, const CodeRows8& a, const CodePanels& b, std::span<int32_t> starts,
                   std::span<int32_t> row_sums, float* y);
inline int64_t code_columns(int64_t n) { return panels_of(n) * kPanelColumns; }

}  // namespace sdx::ops
