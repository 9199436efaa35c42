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

struct PanelSizes {
  int64_t matrices = 1, k = 0, n = 1;
  int64_t panels() const { return (n + kPanelColumns - 1) / kPanelColumns; }
};
PanelSizes sizes_of(const Tensor& b) {
  const int rank = b.rank();
  PanelSizes sizes;
  if (rank == 0) return sizes;
  sizes.k = b.dim(rank == 1 ? 0 : rank - 2);
  if (rank > 1) sizes.n = b.dim(rank - 1);
  sizes.matrices = b.count() == 0 ? 0 : b.count() / (sizes.k * sizes.n);
  return sizes;
}

}  // namespace

int64_t packed_panels_bytes(const Tensor* b) {
  if (b == nullptr) return 0;
  const PanelSizes sizes = sizes_of(*b);
  const auto one = checked_mul(sizes.panels(), panel_bytes(sizes.k));
  return (one ? checked_mul(*one, sizes.matrices) : std::nullopt).value_or(0);
}

Result<std::unique_ptr<KernelState>> prepare_panels(const Tensor* b) {
  if (b == nullptr || b->count() == 0) return std::unique_ptr<KernelState>();
  const PanelSizes sizes = sizes_of(*b);
  const int64_t bytes = packed_panels_bytes(b);
  if (bytes == 0) return invalid_argument("packing of {} overflows", to_text(b->shape()));
  auto state = std::make_unique<PackedPanels>();
  SDX_ASSIGN(state->bytes, Tensor::allocate(DType::i8, Shape{bytes}));
  for (int64_t i = 0; i < sizes.matrices; ++i)
    pack_panels(matrix_of(*b, i, sizes.k, sizes.n), sizes.k, sizes.n,
                state->bytes.data<int8_t>() + i * (bytes / sizes.matrices));
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim product_scratch(const ScratchFacts& facts, size_t a, size_t b) {
  ScratchSize size(facts);
  const NodeFacts& node = facts.node;
  SymbolTable& symbols = facts.symbols;
  const Fact &left = node.input(a), &right = node.input(b);
  if (!left.has_rank() || !right.has_rank()) return symbols.fresh();
  const Dim k = size.input(a, -1), n = right.rank() > 1 ? size.input(b, -1) : Dim(1);
  const auto up = [&](const Dim& dim, int64_t step) {
    return symbols.mul(symbols.ceil_div(dim, Dim(step)), Dim(step));
  };
  const Dim depth = up(k, 2), columns = up(n, kPanelColumns);
  Dim rows(1);
  for (int axis = 0; axis + 1 < left.rank(); ++axis) rows = symbols.mul(rows, left.dim(axis));
  if (node.constant(b) == nullptr) {
    Dim matrices(1);
    for (int axis = 0; axis + 2 < right.rank(); ++axis) matrices = symbols.mul(matrices, right.dim(axis));
    size.part(size.product({matrices, columns, depth}), 1);
  }
  size.part(symbols.mul(rows, depth), sizeof(int16_t));
  return size.part(rows, sizeof(int32_t)).part(rows, sizeof(int32_t)).part(columns, sizeof(int32_t)).bytes();
}

namespace {

Status pack_now(KernelContext& ctx, const Tensor& b, const PanelSizes& sizes, int8_t* to) {
  const int64_t panels = sizes.panels(),
                grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, panel_bytes(sizes.k)));
  return parallel_ranges(ctx, sizes.matrices * panels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Matrix8 part = matrix_of(b, i / panels, sizes.k, sizes.n);
      const int64_t column = i % panels * kPanelColumns;
      part.data += column;
      pack_panels(part, sizes.k, std::min(kPanelColumns, sizes.n - column), to + i * panel_bytes(sizes.k));
    }
  });
}

}  // namespace

Status run_product(KernelContext& ctx, const ProductOperands& operands, ScratchParts scratch,
                   FunctionRef<void(const ProductBlock&)> done) {
  const Tensor &a = *operands.a, &b = *operands.b;
  SDX_ASSIGN(const MatmulShape shape, matmul_shape(a.shape(), b.shape()));
  if (shape.m == 0 || shape.n == 0 || shape.a_of.empty()) return {};
  const int64_t depth = even_depth(shape.k), panels = (shape.n + kPanelColumns - 1) / kPanelColumns;
  const int8_t* packed = nullptr;
  if (ctx.has_state()) {
    packed = ctx.state<PackedPanels>().bytes.data<int8_t>();
  } else {
    int8_t* own = scratch.take<int8_t>(shape.b_matrices * panels * panel_bytes(shape.k)).data();
    SDX_TRY(pack_now(ctx, b, {shape.b_matrices, shape.k, shape.n}, own));
    packed = own;
  }
  LineParameters a_lines, b_lines;
  if (operands.a_zero != nullptr) {
    SDX_ASSIGN(a_lines, line_parameters(*operands.a_zero, shape.m, shape.a_matrices, "a_zero_point"));
  }
  if (operands.b_zero != nullptr) {
    SDX_ASSIGN(b_lines, line_parameters(*operands.b_zero, shape.n, shape.b_matrices, "b_zero_point"));
  }
  // One b for all of a: their rows are one matrix.
  const bool merged = shape.b_matrices == 1 && static_cast<int64_t>(shape.a_of.size()) == shape.a_matrices;
  const int64_t rows = merged ? shape.m * shape.a_matrices : shape.m;
  const int64_t products = merged ? 1 : static_cast<int64_t>(shape.a_of.size());
  int16_t* wide = scratch.take<int16_t>(rows * depth).data();
  int32_t* sums = scratch.take<int32_t>(rows).data();
  const std::span<int32_t> a_zeros = scratch.take<int32_t>(rows),
                           b_zeros = scratch.take<int32_t>(panels * kPanelColumns);
  std::fill(b_zeros.begin(), b_zeros.end(), 0);
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
      widen_rows(part, end - begin, shape.k, a_zeros.data() + begin, 1, wide + begin * depth, sums + begin);
    }));
    const IntegerProduct product{.rows = rows,
                                 .columns = shape.n,
                                 .k = shape.k,
                                 .a = wide,
                                 .row_sums = sums,
                                 .panels = packed + bm * panels * panel_bytes(shape.k),
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
