#include "ops/quant/integer_gemm.h"

#include <cstring>

#include "base/stop_point.h"
#include "ops/quant/integer_convolution_kernels.h"

namespace sdx::ops {
namespace {

// Four rows of up to 16 columns side by side, byte by byte.
void pack_step(const Matrix8& b, int64_t row, int64_t rows, int64_t column, int64_t columns, uint8_t turned,
               uint8_t* to) {
  std::memset(to, 0, static_cast<size_t>(kDepthStep * kPanelColumns));
  for (int64_t i = 0; i < rows; ++i) {
    const uint8_t* from = b.data + (row + i) * b.row_stride + column * b.column_stride;
    for (int64_t j = 0; j < columns; ++j) to[4 * j + i] = from[j * b.column_stride] ^ turned;
  }
}

// The same where b's columns lie in lines.
void pack_lines(const uint8_t* from, int64_t stride, uint8_t turned, uint8_t* to) {
  const uint32_t flips = turned * 0x01010101u;
  for (int64_t j = 0; j < kPanelColumns; ++j) {
    uint32_t four;
    std::memcpy(&four, from + j * stride, sizeof(four));
    four ^= flips;
    std::memcpy(to + 4 * j, &four, sizeof(four));
  }
}

}  // namespace

void pack_panels(const Matrix8& b, int64_t k, int64_t n, uint8_t* panels, int32_t* sums) {
  static constexpr uint8_t kOnes[kDepthStep] = {1, 1, 1, 1};
  const uint8_t turned = b.is_signed ? 0 : kTurned;
  const auto interleave = interleave_rows_kernel();
  const auto multiply = multiply_block(Signed::b);
  for (int64_t first = 0; first < n; first += kPanelColumns) {
    const int64_t columns = std::min(kPanelColumns, n - first);
    uint8_t* panel = panels + first / kPanelColumns * panel_bytes(k);
    for (int64_t row = 0; row < k; row += kDepthStep) {
      stop_point(columns * kDepthStep);
      uint8_t* to = panel + row * kPanelColumns;
      const uint8_t* from = b.data + row * b.row_stride + first * b.column_stride;
      const bool whole = columns == kPanelColumns && row + kDepthStep <= k;
      if (whole && b.column_stride == 1) {
        const uint8_t* rows[kDepthStep] = {from, from + b.row_stride, from + 2 * b.row_stride, from + 3 * b.row_stride};
        interleave(rows, turned, to);
      } else if (whole && b.row_stride == 1) {
        pack_lines(from, b.column_stride, turned, to);
      } else {
        pack_step(b, row, std::min(kDepthStep, k - row), first, columns, turned, to);
      }
    }
    multiply({.rows = 1,
              .panels = 1,
              .steps = depth_steps(k),
              .a = kOnes,
              .a_step = 0,
              .b = panel,
              .panel_stride = panel_bytes(k),
              .c = sums + first,
              .c_row = kPanelColumns});
  }
}

void copy_rows(const Matrix8& a, int64_t rows, int64_t k, uint8_t* to) {
  const uint8_t turned = a.is_signed ? kTurned : 0;
  const int64_t stride = padded_bytes(k);
  for (int64_t row = 0; row < rows; ++row) {
    const uint8_t* from = a.data + row * a.row_stride;
    uint8_t* own = to + row * stride;
    if (a.column_stride == 1)
      for (int64_t i = 0; i < k; ++i) own[i] = from[i] ^ turned;
    else
      for (int64_t i = 0; i < k; ++i) own[i] = from[i * a.column_stride] ^ turned;
    std::fill(own + k, own + stride, 0);
  }
}

Status multiply(KernelContext& ctx, const IntegerProduct& product, BlockDone done) {
  constexpr int64_t kRows = 24, kPanels = 12, kColumns = kPanels * kPanelColumns;  // the sums stay in the first cache
  if (product.rows == 0 || product.columns == 0) return {};
  const int64_t row_blocks = (product.rows + kRows - 1) / kRows;
  const int64_t column_blocks = (product.columns + kColumns - 1) / kColumns;
  const auto kernel = multiply_block(Signed::b);
  const int64_t cost = std::min(kRows, product.rows) * (padded_bytes(product.k) + 16) * kColumns;
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 21) / cost);
  return parallel_ranges(ctx, row_blocks * column_blocks, grain, [&](int64_t begin, int64_t end) {
    alignas(64) int32_t c[kRows * kColumns];
    for (int64_t block = begin; block < end; ++block) {
      const int64_t row = block % row_blocks * kRows, rows = std::min(kRows, product.rows - row);
      const int64_t first = block / row_blocks * kColumns, columns = std::min(kColumns, product.columns - first);
      const auto from_first = [first](const int32_t* of_columns) {
        return of_columns == nullptr ? nullptr : of_columns + first;
      };
      kernel({.rows = rows,
              .panels = panels_of(columns),
              .steps = depth_steps(product.k),
              .a = product.a + row * product.a_row,
              .a_row = product.a_row,
              .a_eight = 8 * product.a_row,
              .b = product.panels + first / kPanelColumns * panel_bytes(product.k),
              .panel_stride = panel_bytes(product.k),
              .column_start = from_first(product.column_start),
              .row_factor = product.row_factor == nullptr ? nullptr : product.row_factor + row,
              .column_factor = from_first(product.column_factor),
              .c = c,
              .c_row = kColumns});
      done(row, rows, first, columns, c, kColumns);
    }
  });
}

}  // namespace sdx::ops
