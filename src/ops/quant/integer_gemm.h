// Products of 8-bit matrices on the CPU: c[m, n] = sum over k of a[m, k] * b[k, n], modulo 2^32, the same bits at every
// SIMD level. One operand is unsigned, the other signed; zero points are taken off by sums of the other operand.
// b lies in panels of 16 columns: for every four k, 16 times four bytes.
#pragma once

#include <vector>

#include "base/function_ref.h"
#include "ops/op.h"

namespace sdx::ops {

inline constexpr int64_t kPanelColumns = 16;
inline constexpr int64_t kDepthStep = 4;

// Bytes of the other signedness are kept with their highest bit turned: an unsigned one less 128, a signed one plus
// 128; zero points move along.
inline constexpr uint8_t kTurned = 0x80;
inline constexpr int32_t kTurnedShift = 128;

constexpr int64_t whole(int64_t value, int64_t step) { return (value + step - 1) / step * step; }
constexpr int64_t depth_steps(int64_t k) { return k / kDepthStep + (k % kDepthStep != 0); }
constexpr int64_t padded_bytes(int64_t k) { return depth_steps(k) * kDepthStep; }
constexpr int64_t panels_of(int64_t n) { return n / kPanelColumns + (n % kPanelColumns != 0); }
constexpr int64_t panel_bytes(int64_t k) { return padded_bytes(k) * kPanelColumns; }

struct Matrix8 {
  const uint8_t* data = nullptr;  // or int8_t
  bool is_signed = false;
  int64_t row_stride = 0, column_stride = 1;
};

// All panels of b [k, n], as signed bytes: panels_of(n) * panel_bytes(k) of them. `sums`: of each column, as the panels
// hold it; zeros up to whole panels.
void pack_panels(const Matrix8& b, int64_t k, int64_t n, uint8_t* panels, int32_t* sums);

// Rows of a as unsigned bytes, padded_bytes(k) each.
void copy_rows(const Matrix8& a, int64_t rows, int64_t k, uint8_t* to);
// Sums of rows of bytes, which are unsigned once their highest bits are turned where `turned` says.
void sum_rows(const uint8_t* a, uint8_t turned, int64_t row_stride, int64_t rows, int64_t k, int32_t* sums);

// Some rows times some whole panels:
//   c[r, j] = row_start[r] + column_start[j] - row_factor[r] * column_factor[j] + sum of products
// where a null start is 0 and the factors are null or given together.
struct IntegerBlock {
  int64_t rows = 0, panels = 0, steps = 0;  // steps: of four k
  // Byte k of row r: a[r / 8 * a_eight + r % 8 * a_row + k / 4 * a_step + k % 4]; rows that lie in a line have a step
  // of 4.
  const uint8_t* a = nullptr;
  int64_t a_row = 0, a_eight = 0, a_step = kDepthStep;
  const uint8_t* b = nullptr;
  int64_t panel_stride = 0;
  const int32_t *row_start = nullptr, *column_start = nullptr;
  const int32_t *row_factor = nullptr, *column_factor = nullptr;
  int32_t* c = nullptr;
  int64_t c_row = 0;
};
inline const uint8_t* row_of(const IntegerBlock& block, int64_t row) {
  return block.a + row / 8 * block.a_eight + row % 8 * block.a_row;
}
using MultiplyBlock = void (*)(const IntegerBlock&);
enum class Signed : uint8_t { a, b };  // the operand that is signed; the other is not
MultiplyBlock multiply_block(Signed which);

// The code of one instruction set each, beside the portable one.
MultiplyBlock multiply_block_avx512_vnni(Signed which);
MultiplyBlock multiply_block_avx2_vnni(Signed which);

// A whole product of unsigned a and signed b in blocks, in parallel. `done` gets each finished block.
struct IntegerProduct {
  int64_t rows = 0, columns = 0, k = 0;
  const uint8_t* a = nullptr;
  int64_t a_row = 0;  // whole steps can be read of each row
  const uint8_t* panels = nullptr;
  // Padded to whole panels.
  const int32_t *column_start = nullptr, *row_factor = nullptr, *column_factor = nullptr;
};
using BlockDone =
    FunctionRef<void(int64_t row, int64_t rows, int64_t column, int64_t columns, int32_t* c, int64_t c_stride)>;
Status multiply(KernelContext& ctx, const IntegerProduct& product, BlockDone done);

// y = saturate(round(float(c + bias) * multiplier) + zero): one multiplier for all (step 0), or one an element.
struct Requantization {
  int32_t zero = 0;
  bool is_signed = false;
};
using RequantizeKernel = void (*)(const int32_t* c, int32_t bias, const float* multipliers, int step,
                                  const Requantization& to, uint8_t* y, size_t count);
RequantizeKernel requantize_kernel();

// y = float(c) * scale + bias: one scale for all (step 0), or one an element; a null bias adds nothing.
using ScaleSums = void (*)(const int32_t* c, const float* scales, int step, const float* bias, float* y, size_t count);
ScaleSums scale_sums_kernel();

}  // namespace sdx::ops
