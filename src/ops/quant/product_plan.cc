#include "ops/quant/product_plan.h"

#include "base/element.h"

namespace sdx::ops {
namespace {

struct PackedPanels : KernelState {
  Tensor bytes;
};

Matrix8 matrix_of(const Tensor& t, int64_t matrix, int64_t rows, int64_t columns) {
  return {.data = t.data<uint8_t>() + matrix * rows * columns,
          .is_signed = t.dtype() == DType::i8,
          .row_stride = columns,
          .column_stride = 1};
}

Result<Tensor> packed_panels(const Tensor& b, int64_t matrices, int64_t k, int64_t n) {
  const int64_t panels = (n + kPanelColumns - 1) / kPanelColumns;
  const auto one = checked_mul(panels, panel_bytes(k));
  const auto all = one ? checked_mul(*one, matrices) : std::nullopt;
  if (!all) return invalid_argument("packing of {} overflows", to_text(b.shape()));
  SDX_ASSIGN(Tensor packed, Tensor::allocate(DType::i8, Shape{*all}));
  for (int64_t i = 0; i < matrices; ++i) pack_panels(matrix_of(b, i, k, n), k, n, packed.data<int8_t>() + i * *one);
  return packed;
}

}  // namespace

Result<std::unique_ptr<KernelState>> prepare_panels(const Tensor* b) {
  if (b == nullptr || b->rank() < 2) return std::unique_ptr<KernelState>();
  const int64_t k = b->dim(b->rank() - 2), n = b->dim(b->rank() - 1);
  if (k == 0 || n == 0) return std::unique_ptr<KernelState>();
  auto state = std::make_unique<PackedPanels>();
  SDX_ASSIGN(state->bytes, packed_panels(*b, b->count() / (k * n), k, n));
  return std::unique_ptr<KernelState>(std::move(state));
}

Status run_product(KernelContext& ctx, const ProductOperands& operands, FunctionRef<void(const ProductBlock&)> done) {
  const Tensor &a = *operands.a, &b = *operands.b;
  SDX_ASSIGN(const MatmulShape shape, matmul_shape(a.shape(), b.shape()));
  if (shape.m == 0 || shape.n == 0 || shape.a_of.empty()) return {};
  Tensor packed;
  if (ctx.has_state()) {
    packed = ctx.state<PackedPanels>().bytes;
  } else {
    SDX_ASSIGN(packed, packed_panels(b, shape.b_matrices, shape.k, shape.n));
  }
  LineParameters a_lines, b_lines;
  if (operands.a_zero != nullptr) {
    SDX_ASSIGN(a_lines, line_parameters(*operands.a_zero, shape.m, shape.a_matrices, "a_zero_point"));
  }
  if (operands.b_zero != nullptr) {
    SDX_ASSIGN(b_lines, line_parameters(*operands.b_zero, shape.n, shape.b_matrices, "b_zero_point"));
  }
  const int64_t depth = even_depth(shape.k), panels = (shape.n + kPanelColumns - 1) / kPanelColumns;
  // One b for all of a: their rows are one matrix.
  const bool merged = shape.b_matrices == 1 && static_cast<int64_t>(shape.a_of.size()) == shape.a_matrices;
  const int64_t rows = merged ? shape.m * shape.a_matrices : shape.m;
  const int64_t products = merged ? 1 : static_cast<int64_t>(shape.a_of.size());
  SDX_ASSIGN(Tensor wide, Tensor::allocate(DType::i16, Shape{rows, depth}));
  SDX_ASSIGN(Tensor sums, Tensor::allocate(DType::i32, Shape{rows}));
  std::vector<int32_t> a_zeros(static_cast<size_t>(rows)), b_zeros(static_cast<size_t>(panels * kPanelColumns));
  const int32_t shift = b.dtype() == DType::u8 ? kUnsignedShift : 0;
  for (int64_t i = 0; i < products; ++i) {
    const int64_t am = shape.a_of[static_cast<size_t>(i)], bm = shape.b_of[static_cast<size_t>(i)];
    for (int64_t row = 0; row < rows; ++row)
      a_zeros[static_cast<size_t>(row)] =
          operands.a_zero == nullptr
              ? 0
              : static_cast<int32_t>(load_i64(*operands.a_zero, a_lines.index(am + row / shape.m, row % shape.m)));
    bool any_zero = false;
    for (int64_t column = 0; column < shape.n; ++column) {
      const int64_t zero = operands.b_zero == nullptr ? 0 : load_i64(*operands.b_zero, b_lines.index(bm, column));
      b_zeros[static_cast<size_t>(column)] = static_cast<int32_t>(zero) - shift;
      any_zero = any_zero || zero != shift;
    }
    const Matrix8 source = matrix_of(a, am, shape.m, shape.k);
    SDX_TRY(parallel_ranges(ctx, rows, 64, [&](int64_t begin, int64_t end) {
      Matrix8 part = source;
      part.data += begin * source.row_stride;
      widen_rows(part, end - begin, shape.k, a_zeros.data() + begin, 1, wide.data<int16_t>() + begin * depth,
                 sums.data<int32_t>() + begin);
    }));
    const IntegerProduct product{.rows = rows,
                                 .columns = shape.n,
                                 .k = shape.k,
                                 .a = wide.data<int16_t>(),
                                 .row_sums = sums.data<int32_t>(),
                                 .panels = packed.data<int8_t>() + bm * panels * panel_bytes(shape.k),
                                 .b_zeros = any_zero ? b_zeros.data() : nullptr};
    SDX_TRY(
        multiply(ctx, product,
                 [&](int64_t row, int64_t count, int64_t column, int64_t columns, const int32_t* c, int64_t c_stride) {
                   done({i * shape.m + row, count, column, columns, shape.n, row, am, bm, c, c_stride});
                 }));
  }
  return {};
}

}  // namespace sdx::ops
