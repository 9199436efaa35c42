#include "ops/rnn/code_panels.h"

namespace sdx::ops {

Result<CodePanels> CodePanels::create(const Matrix8& b, int64_t k, int64_t n,
                                      FunctionRef<std::pair<float, int32_t>(int64_t)> parameters) {
  CodePanels made;
  made.k = k;
  made.n = n;
  const int64_t columns = code_columns(n);
  SDX_ASSIGN(made.bytes, Tensor::allocate(DType::i8, Shape{panels_of(n) * panel_bytes(k)}));
  for (Tensor* tensor : {&made.sums, &made.zeros}) {
    SDX_ASSIGN(*tensor, Tensor::allocate(DType::i32, Shape{columns}));
  }
  SDX_ASSIGN(made.scales, Tensor::allocate(DType::f32, Shape{columns}));
  pack_panels(b, k, n, made.bytes.data<uint8_t>(), made.sums.data<int32_t>());
  const int32_t shift = b.is_signed ? 0 : -kTurnedShift;
  for (int64_t j = 0; j < columns; ++j) {
    const auto [scale, zero] = j < n ? parameters(j) : std::pair(0.0f, -shift);
    made.scales.data<float>()[j] = scale;
    made.zeros.data<int32_t>()[j] = zero + shift;
    made.has_zeros = made.has_zeros || zero + shift != 0;
  }
  return made;
}

// (a - a_zero) * (b - b_zero) = a * b - a_zero * (sum of b - k * b_zero) - sum of a * b_zero
Status add_product(KernelContext& ctx, const CodeRows8& a, const CodePanels& b, std::span<int32_t> starts,
                   std::span<int32_t> row_sums, float* y) {
  const int32_t *sums = b.sums.data<int32_t>(), *zeros = b.zeros.data<int32_t>();
  const int32_t a_zero = a.by.zero_point;
  for (size_t j = 0; j < starts.size(); ++j) starts[j] = -a_zero * (sums[j] - static_cast<int32_t>(b.k) * zeros[j]);
  if (b.has_zeros) sum_rows(a.codes, 0, b.k, a.rows, b.k, row_sums.data());
  const IntegerProduct product{.rows = a.rows,
                               .columns = b.n,
                               .k = b.k,
                               .a = a.codes,
                               .a_row = b.k,
                               .panels = b.bytes.data<uint8_t>(),
                               .column_start = starts.data(),
                               .row_factor = b.has_zeros ? row_sums.data() : nullptr,
                               .column_factor = b.has_zeros ? zeros : nullptr};
  const float* scales = b.scales.data<float>();
  return multiply(ctx, product,
                  [&](int64_t row, int64_t rows, int64_t column, int64_t columns, int32_t* c, int64_t c_stride) {
                    for (int64_t r = 0; r < rows; ++r) {
                      float* to = y + (row + r) * b.n + column;
                      const int32_t* from = c + r * c_stride;
                      for (int64_t j = 0; j < columns; ++j)
                        to[j] += static_cast<float>(from[j]) * (a.by.scale * scales[column + j]);
                    }
                  });
}

}  // namespace sdx::ops
