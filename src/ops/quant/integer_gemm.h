// Products of 8-bit matrices on the CPU: c[m, n] = sum over k of (a[m, k] - a_zero) * (b[k, n] - b_zero), modulo 2^32.
// a is widened to 16 bits with its zero point taken off; b stays in 8 bits, in panels of 16 columns with rows k and
// k + 1 side by side, its zero point taken off through the sums of a's rows.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "ops/op.h"

namespace sdx::ops {

inline constexpr int64_t kPanelColumns = 16;

// Unsigned operands are kept less 128; zero points of b move along.
inline constexpr int32_t kUnsignedShift = 128;

inline int64_t even_depth(int64_t k) { return (k + 1) / 2 * 2; }
inline int64_t panel_bytes(int64_t k) { return even_depth(k) * kPanelColumns; }

struct Matrix8 {
  const uint8_t* data = nullptr;  // or int8_t
  bool is_signed = false;
  int64_t row_stride = 0, column_stride = 1;
};

// All panels of b [k, n]: ceil(n / 16) * panel_bytes(k) bytes.
void pack_panels(const Matrix8& b, int64_t k, int64_t n, int8_t* panels);

// Rows of a [rows, k] less `zeros` (one a row with step 1, one for all with step 0), each `even_depth(k)` long, and
// their sums.
void widen_rows(const Matrix8& a, int64_t rows, int64_t k, const int32_t* zeros, int zero_step, int16_t* wide,
                int32_t* sums);

// c[rows, columns] for up to 16 columns of one panel. b_zeros: one a column, 16 in all, already shifted; null: zeros.
using PanelKernel = void (*)(const int16_t* a, int64_t depth, int64_t rows, const int8_t* panel,
                             const int32_t* row_sums, const int32_t* b_zeros, int32_t* c, int64_t c_stride,
                             int64_t columns);
PanelKernel panel_kernel();

// The whole product in blocks, in parallel. `done` gets each finished block.
struct IntegerProduct {
  int64_t rows = 0, columns = 0, k = 0;
  const int16_t* a = nullptr;
  const int32_t* row_sums = nullptr;
  const int8_t* panels = nullptr;
  const int32_t* b_zeros = nullptr;  // padded to whole panels, already shifted; null: zeros
};
using BlockDone =
    FunctionRef<void(int64_t row, int64_t rows, int64_t column, int64_t columns, const int32_t* c, int64_t c_stride)>;
Status multiply(KernelContext& ctx, const IntegerProduct& product, BlockDone done);

// y = saturate(round(float(c + bias) * multiplier) + zero): one multiplier for all (step 0), or one an element.
struct Requantization {
  int32_t zero = 0;
  bool is_signed = false;
};
using RequantizeKernel = void (*)(const int32_t* c, int32_t bias, const float* multipliers, int step,
                                  const Requantization& to, uint8_t* y, size_t count);
RequantizeKernel requantize_kernel();

}  // namespace sdx::ops
