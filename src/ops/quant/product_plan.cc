#include "ops/quant/product_plan.h"

#include "base/element.h"

namespace sdx::ops {
namespace {

struct PackedPanels : KernelState {
  Tensor bytes, sums;
};

Matrix8 matrix_of(const Tensor& t, int64_t matrix, int64_t rows, int64_t columns, Turned turned) {
  const bool turns = turned == Turned::yes;
  return {.data = t.data<uint8_t>() + matrix * rows * columns,
          .is_signed = t.dtype() == DType::i8,
          .row_stride = turns ? 1 : columns,
          .column_stride = turns ? rows : 1};
}

struct PanelSizes {
  int64_t matrices = 1, k = 0, n = 1;
  int64_t panels() const { return panels_of(n); }
};
PanelSizes sizes_of(const Tensor& b, Turned turned) {
  const int rank = b.rank();
  PanelSizes sizes;
  if (rank == 0) return sizes;
  sizes.k = b.dim(rank == 1 ? 0 : rank - 2);
  if (rank > 1) sizes.n = b.dim(rank - 1);
  sizes.matrices = b.count() == 0 ? 0 : b.count() / (sizes.k * sizes.n);
  if (turned == Turned::yes) std::swap(sizes.k, sizes.n);
  return sizes;
}

}  // namespace

int64_t packed_panels_bytes(const Tensor* b, Turned turned) {
  if (b == nullptr) return 0;
  const PanelSizes sizes = sizes_of(*b, turned);
  const auto bytes = checked_add(panel_bytes(sizes.k), kPanelColumns * static_cast<int64_t>(sizeof(int32_t)));
  const auto one = bytes ? checked_mul(sizes.panels(), *bytes) : std::nullopt;
  return (one ? checked_mul(*one, sizes.matrices) : std::nullopt).value_or(0);
}

Result<std::unique_ptr<KernelState>> prepare_panels(const Tensor* b, Turned turned) {
  if (b == nullptr || b->count() == 0) return std::unique_ptr<KernelState>();
  const PanelSizes sizes = sizes_of(*b, turned);
  if (packed_panels_bytes(b, turned) == 0) return invalid_argument("packing of {} overflows", to_text(b->shape()));
  auto state = std::make_unique<PackedPanels>();
  const int64_t bytes = sizes.panels() * panel_bytes(sizes.k), columns = sizes.panels() * kPanelColumns;
  SDX_ASSIGN(state->bytes, Tensor::allocate(DType::i8, Shape{sizes.matrices * bytes}));
  SDX_ASSIGN(state->sums, Tensor::allocate(DType::i32, Shape{sizes.matrices * columns}));
  for (int64_t i = 0; i < sizes.matrices; ++i)
    pack_panels(matrix_of(*b, i, sizes.k, sizes.n, turned), sizes.k, sizes.n, state->bytes.data<uint8_t>() + i * bytes,
                state->sums.data<int32_t>() + i * columns);
  return std::unique_ptr<KernelState>(std::move(state));
}

Dim product_scratch(const ScratchFacts& facts, size_t a, size_t b, DType a_type, Turned a_turned, Turned b_turned) {
  ScratchSize size(facts);
  const NodeFacts& node = facts.node;
  SymbolTable& symbols = facts.symbols;
  const Fact &left = node.input(a), &right = node.input(b);
  if (!left.has_rank() || !right.has_rank()) return symbols.fresh();
  const bool a_turns = a_turned == Turned::yes, b_turns = b_turned == Turned::yes;
  const Dim k = size.input(a, a_turns ? -2 : -1);
  const Dim n = right.rank() > 1 ? size.input(b, b_turns ? -2 : -1) : Dim(1);
  const auto up = [&](const Dim& dim, int64_t step) {
    return symbols.mul(symbols.ceil_div(dim, Dim(step)), Dim(step));
  };
  const Dim depth = up(k, kDepthStep), columns = up(n, kPanelColumns);
  Dim rows(1);
  for (int axis = 0; axis < left.rank(); ++axis)
    if (axis != left.rank() - (a_turns ? 2 : 1)) rows = symbols.mul(rows, left.dim(axis));
  if (node.constant(b) == nullptr || node.constant(b)->count() == 0) {  // not packed ahead
    Dim matrices(1);
    for (int axis = 0; axis + 2 < right.rank(); ++axis) matrices = symbols.mul(matrices, right.dim(axis));
    size.part(size.product({matrices, columns, depth}), 1).part(symbols.mul(matrices, columns), sizeof(int32_t));
  }
  const bool in_place = a_type == DType::u8 && !a_turns && k.is_known() && k.known() % kDepthStep == 0;
  if (!in_place) size.part(symbols.mul(rows, depth), 1);
  return size.part(rows, sizeof(int32_t))
      .part(rows, sizeof(int32_t))
      .part(columns, sizeof(int32_t))
      .part(columns, sizeof(int32_t))
      .bytes();
}

namespace {

struct PanelsOf {
  const uint8_t* bytes = nullptr;
  const int32_t* sums = nullptr;
};

Result<PanelsOf> pack_now(KernelContext& ctx, const Tensor& b, const PanelSizes& sizes, Turned turned,
                          ScratchParts& scratch) {
  const int64_t panels = sizes.panels();
  uint8_t* bytes = scratch.take<uint8_t>(sizes.matrices * panels * panel_bytes(sizes.k)).data();
  int32_t* sums = scratch.take<int32_t>(sizes.matrices * panels * kPanelColumns).data();
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, panel_bytes(sizes.k)));
  SDX_TRY(parallel_ranges(ctx, sizes.matrices * panels, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Matrix8 part = matrix_of(b, i / panels, sizes.k, sizes.n, turned);
      const int64_t column = i % panels * kPanelColumns;
      part.data += column * part.column_stride;
      pack_panels(part, sizes.k, std::min(kPanelColumns, sizes.n - column), bytes + i * panel_bytes(sizes.k),
                  sums + i * kPanelColumns);
    }
  }));
  return PanelsOf{bytes, sums};
}

// a's rows as unsigned bytes in whole steps: as they lie, or copied.
struct RowsOf {
  const uint8_t* bytes = nullptr;
  int64_t stride = 0;
};
Result<RowsOf> rows_of(KernelContext& ctx, const Matrix8& a, int64_t rows, int64_t k, uint8_t* copy) {
  if (copy == nullptr) return RowsOf{a.data, a.row_stride};
  const int64_t stride = padded_bytes(k);
  SDX_TRY(parallel_ranges(ctx, rows, 64, [&](int64_t begin, int64_t end) {
    Matrix8 part = a;
    part.data += begin * a.row_stride;
    copy_rows(part, end - begin, k, copy + begin * stride);
  }));
  return RowsOf{copy, stride};
}

// Zero points, moved along with turned bytes.
class Zeros {
 public:
  static Result<Zeros> of(const Tensor* zero, int64_t lines, int64_t matrices, int32_t shift, std::string_view what) {
    Zeros made;
    made.zero_ = zero;
    made.shift_ = shift;
    if (zero != nullptr) {
      SDX_ASSIGN(made.lines_, line_parameters(*zero, lines, matrices, what));
    }
    return made;
  }
  bool is_uniform() const { return lines_.stride == 0; }
  int32_t at(int64_t matrix, int64_t line) const {
    return shift_ + (zero_ == nullptr ? 0 : static_cast<int32_t>(load_i64(*zero_, lines_.index(matrix, line))));
  }

 private:
  const Tensor* zero_ = nullptr;
  LineParameters lines_;
  int32_t shift_ = 0;
};

// c -= rows * columns: what a block's own factors leave over.
void subtract_product(const int32_t* rows, const int32_t* columns, int64_t row_count, int64_t column_count, int32_t* c,
                      int64_t c_stride) {
  for (int64_t i = 0; i < row_count; ++i)
    for (int64_t j = 0; j < column_count; ++j) {
      const uint32_t product = static_cast<uint32_t>(rows[i]) * static_cast<uint32_t>(columns[j]);
      c[i * c_stride + j] = static_cast<int32_t>(static_cast<uint32_t>(c[i * c_stride + j]) - product);
    }
}

}  // namespace

Status run_product(KernelContext& ctx, const ProductOperands& operands, ScratchParts scratch,
                   FunctionRef<void(const ProductBlock&)> done) {
  const Tensor &a = *operands.a, &b = *operands.b;
  const auto turned_shape = [](const Tensor& t, Turned turned) {
    return turned == Turned::yes ? Shape{t.dim(1), t.dim(0)} : Shape(t.shape());
  };
  SDX_ASSIGN(const MatmulShape shape,
             matmul_shape(turned_shape(a, operands.a_turned), turned_shape(b, operands.b_turned)));
  if (shape.m == 0 || shape.n == 0 || shape.a_of.empty()) return {};
  const int64_t panels = panels_of(shape.n), columns = panels * kPanelColumns;
  PanelsOf packed;
  if (ctx.has_state()) {
    const auto& state = ctx.state<PackedPanels>();
    packed = {state.bytes.data<uint8_t>(), state.sums.data<int32_t>()};
  } else {
    SDX_ASSIGN(packed, pack_now(ctx, b, {shape.b_matrices, shape.k, shape.n}, operands.b_turned, scratch));
  }
  SDX_ASSIGN(const Zeros a_zero, Zeros::of(operands.a_zero, shape.m, shape.a_matrices,
                                           a.dtype() == DType::i8 ? kTurnedShift : 0, "a_zero_point"));
  SDX_ASSIGN(const Zeros b_zero, Zeros::of(operands.b_zero, shape.n, shape.b_matrices,
                                           b.dtype() == DType::u8 ? -kTurnedShift : 0, "b_zero_point"));
  // One b for all of a: their rows are one matrix.
  const bool merged = shape.b_matrices == 1 && static_cast<int64_t>(shape.a_of.size()) == shape.a_matrices;
  const int64_t rows = merged ? shape.m * shape.a_matrices : shape.m;
  const int64_t products = merged ? 1 : static_cast<int64_t>(shape.a_of.size());
  const bool in_place = a.dtype() == DType::u8 && operands.a_turned == Turned::no && shape.k % kDepthStep == 0;
  uint8_t* copy = in_place ? nullptr : scratch.take<uint8_t>(rows * padded_bytes(shape.k)).data();
  const std::span<int32_t> row_sums = scratch.take<int32_t>(rows), row_zeros = scratch.take<int32_t>(rows);
  const std::span<int32_t> starts = scratch.take<int32_t>(columns), factors = scratch.take<int32_t>(columns);
  for (int64_t i = 0; i < products; ++i) {
    const int64_t am = shape.a_of[static_cast<size_t>(i)], bm = shape.b_of[static_cast<size_t>(i)];
    const int32_t* sums = packed.sums + bm * columns;
    const bool one_zero = a_zero.is_uniform();
    // sums - k * zero of b, times the zero of a; sums of rows times zero of b.
    bool b_has_zeros = false;
    const uint32_t first_zero = static_cast<uint32_t>(a_zero.at(am, 0));
    for (int64_t j = 0; j < columns; ++j) {
      const int32_t zero = j < shape.n ? b_zero.at(bm, j) : 0;
      b_has_zeros = b_has_zeros || zero != 0;
      const uint32_t less =
          static_cast<uint32_t>(sums[j]) - static_cast<uint32_t>(shape.k) * static_cast<uint32_t>(zero);
      const uint32_t bias =
          operands.column_bias != nullptr && j < shape.n ? static_cast<uint32_t>(operands.column_bias[j]) : 0;
      starts[static_cast<size_t>(j)] = static_cast<int32_t>(one_zero ? bias - first_zero * less : bias);
      factors[static_cast<size_t>(j)] = one_zero ? zero : static_cast<int32_t>(less);
    }
    SDX_ASSIGN(const RowsOf own,
               rows_of(ctx, matrix_of(a, am, shape.m, shape.k, operands.a_turned), rows, shape.k, copy));
    if (b_has_zeros)
      SDX_TRY(parallel_ranges(ctx, rows, 64, [&](int64_t begin, int64_t end) {
        sum_rows(own.bytes + begin * own.stride, 0, own.stride, end - begin, shape.k, row_sums.data() + begin);
      }));
    if (!one_zero)
      for (int64_t row = 0; row < rows; ++row)
        row_zeros[static_cast<size_t>(row)] = a_zero.at(am + row / shape.m, row % shape.m);
    const bool has_factors = one_zero ? b_has_zeros : true;
    const IntegerProduct product{.rows = rows,
                                 .columns = shape.n,
                                 .k = shape.k,
                                 .a = own.bytes,
                                 .a_row = own.stride,
                                 .panels = packed.bytes + bm * panels * panel_bytes(shape.k),
                                 .column_start = starts.data(),
                                 .row_factor = !has_factors ? nullptr
                                               : one_zero   ? row_sums.data()
                                                            : row_zeros.data(),
                                 .column_factor = has_factors ? factors.data() : nullptr};
    SDX_TRY(multiply(ctx, product,
                     [&](int64_t row, int64_t count, int64_t column, int64_t width, int32_t* c, int64_t c_stride) {
                       if (!one_zero && b_has_zeros)
                         for (int64_t j = 0; j < width; ++j) {
                           const int32_t zero = b_zero.at(bm, column + j);
                           subtract_product(row_sums.data() + row, &zero, count, 1, c + j, c_stride);
                         }
                       done({i * shape.m + row, count, column, width, shape.n, row, am, bm, c, c_stride});
                     }));
  }
  return {};
}

}  // namespace sdx::ops
