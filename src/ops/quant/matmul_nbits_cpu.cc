// MatMulNBits for float32 with constant weights. Rounded rows multiply the codes themselves; others dequantized
// weights, of which many rows share panels. Both ways sum in the same order: a row's bits do not depend on how many
// there are.
#include <cstring>

#include "base/element.h"
#include "kernel/scratch_parts.h"
#include "ops/linalg/gemm.h"
#include "ops/op.h"
#include "ops/quant/nbits_panels.h"

namespace sdx::ops {
namespace {

constexpr int64_t kFewRows = 6;

Verdict takes_constant_weights(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32 || facts.dtype(2) != DType::f32) return no("only f32");
  if (facts.has_input(4)) return no("g_idx is given");
  for (const size_t i : {1, 2, 3})
    if (facts.has_input(i) && facts.constant(i) == nullptr) return no("weights are not constant");
  return yes();
}

// The words of the columns of a group, read side by side.
void pack_group(const uint8_t* b, int64_t group, NBitsPanels& made) {
  const NBits& bits = made.bits;
  const int64_t stride = bits.blocks() * bits.block_bytes(), rows = word_rows(bits.bits);
  const int64_t first = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - first);
  const uint8_t* from = b + first * stride;
  const int64_t bytes = made.depth() * made.row_bytes();
  uint8_t* to = made.codes.data() + group * bytes;
  if (columns < kGroupColumns) std::fill_n(to, bytes, uint8_t{0});
  for (int64_t word = 0; word < made.depth() / rows; ++word)  // a block holds whole words
    for (int64_t j = 0; j < columns; ++j)
      std::memcpy(to + (word * kGroupColumns + j) * 4, from + j * stride + word * 4, 4);
}

// The scales and zero points of a group: rows of blocks, a value a column.
void pack_parameters(const Tensor& scales, const Tensor* zeros, int64_t group, NBitsPanels& made) {
  const NBits& bits = made.bits;
  const int64_t blocks = bits.blocks(), first = group * kGroupColumns;
  const int64_t columns = std::min(kGroupColumns, bits.n - first);
  float* to_scales = made.scales.data() + group * blocks * kGroupColumns;
  float* to_zeros = zeros == nullptr ? nullptr : made.zeros.data() + group * blocks * kGroupColumns;
  for (float* to : {to_scales, to_zeros})
    if (to != nullptr && columns < kGroupColumns) std::fill_n(to, blocks * kGroupColumns, 0.0f);
  for (int64_t j = 0; j < columns; ++j) {
    const std::byte* from = scales.bytes() + (first + j) * blocks * static_cast<int64_t>(sizeof(float));
    for (int64_t block = 0; block < blocks; ++block)
      std::memcpy(to_scales + block * kGroupColumns + j, from + block * static_cast<int64_t>(sizeof(float)),
                  sizeof(float));
    if (zeros == nullptr) continue;
    const int64_t row = (first + j) * blocks;
    const auto width = static_cast<int>(bits.bits);
    const bool has_codes = zeros->dtype() == DType::u8;
    const uint8_t* codes = has_codes ? zeros->data<uint8_t>() + (first + j) * bits.zero_bytes() : nullptr;
    for (int64_t block = 0; block < blocks; ++block)
      to_zeros[block * kGroupColumns + j] =
          static_cast<float>(has_codes ? load_packed(width, codes, block) : load_double(*zeros, row + block));
  }
}

Result<std::unique_ptr<KernelState>> prepare_matmul_nbits(const NodeFacts& facts) {
  const Tensor &b = *facts.constant(1), &scales = *facts.constant(2);
  const Tensor* zeros = facts.constant(3);
  auto made = std::make_unique<NBitsPanels>();
  SDX_ASSIGN(made->bits, nbits_of(facts.attributes()));
  const NBits& bits = made->bits;
  const int64_t blocks = bits.blocks();
  made->groups = (bits.n + kGroupColumns - 1) / kGroupColumns;
  made->codes.resize(static_cast<size_t>(made->groups * made->depth() * made->row_bytes()));
  made->scales.resize(static_cast<size_t>(made->groups * blocks * kGroupColumns));
  if (zeros != nullptr) made->zeros.resize(made->scales.size());
  made->middle = static_cast<float>(int64_t{1} << (bits.bits - 1));
  for (int64_t group = 0; group < made->groups; ++group) {
    pack_group(b.data<uint8_t>(), group, *made);
    pack_parameters(scales, zeros, group, *made);
  }
  return std::unique_ptr<KernelState>(std::move(made));
}

int64_t packed_bytes(const NodeFacts& facts) {
  const auto bits = nbits_of(facts.attributes());
  if (!bits.ok()) return 0;
  const int64_t groups = (bits->n + kGroupColumns - 1) / kGroupColumns;
  const int64_t codes = padded_depth(bits->k, bits->bits) * kGroupColumns * bits->bits / 8;
  const int64_t parameters =
      (facts.has_input(3) ? 2 : 1) * bits->blocks() * kGroupColumns * static_cast<int64_t>(sizeof(float));
  return groups * (codes + parameters);
}

// Rows of a, each `depth` long, and what belongs to their blocks.
struct Rows {
  const float* values = nullptr;
  std::span<float> own = {}, scales = {};
  std::span<int32_t> sums = {};  // of rounded rows, like their codes
  std::span<int8_t> codes = {};
};
Result<Rows> rows_of(KernelContext& ctx, const NBitsPanels& panels, int64_t count) {
  const NBits& bits = panels.bits;
  const int64_t blocks = bits.blocks(), depth = panels.depth();
  const float* a = ctx.input(0).data<float>();
  ScratchParts scratch(ctx);
  Rows rows{.values = a, .scales = scratch.take<float>(count * blocks)};
  std::fill(rows.scales.begin(), rows.scales.end(), 1.0f);
  const bool rounds = rounds_rows(ctx);
  if (!rounds && depth == bits.k) return rows;
  const int64_t grain = std::max<int64_t>(1, 8192 / bits.k);
  if (rounds) {
    rows.codes = scratch.take<int8_t>(count * depth);
    rows.sums = scratch.take<int32_t>(count * blocks);
    const RoundRow kernel = round_row_kernel();
    SDX_TRY(parallel_ranges(ctx, count, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int8_t* codes = rows.codes.data() + row * depth;
        for (int64_t block = 0; block < blocks; ++block) {
          const int64_t first = block * bits.block, at = row * blocks + block;
          kernel.round(a + row * bits.k + first, std::min(bits.block, bits.k - first), codes + first,
                       &rows.scales[static_cast<size_t>(at)], &rows.sums[static_cast<size_t>(at)]);
        }
        std::fill(codes + bits.k, codes + depth, int8_t{0});
        kernel.place(bits.bits, depth, codes);
      }
    }));
    return rows;
  }
  rows.own = scratch.take<float>(count * depth);
  rows.values = rows.own.data();
  SDX_TRY(parallel_ranges(ctx, count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      std::memcpy(rows.own.data() + row * depth, a + row * bits.k, static_cast<size_t>(bits.k) * sizeof(float));
      std::fill(rows.own.data() + row * depth + bits.k, rows.own.data() + (row + 1) * depth, 0.0f);
    }
  }));
  return rows;
}

Dim rows_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  SymbolTable& symbols = facts.symbols;
  const auto bits = nbits_of(facts.node.attributes());
  if (!bits.ok() || !facts.node.has_rank(0)) return bits.ok() ? symbols.fresh() : Dim(0);
  Dim count(1);
  for (int axis = 0; axis + 1 < facts.node.rank(0); ++axis) count = symbols.mul(count, size.input(0, axis));
  const int64_t depth = padded_depth(bits->k, bits->bits);
  const bool rounds = rounds_rows(facts.node);
  const Dim of_blocks = symbols.mul(count, Dim(bits->blocks())), of_rows = symbols.mul(count, Dim(depth));
  size.part(of_blocks, sizeof(float));
  if (!rounds && depth == bits->k) return size.bytes();
  if (rounds) return size.part(of_rows, 1).part(of_blocks, sizeof(int32_t)).bytes();
  return size.part(of_rows, sizeof(float)).bytes();
}

Status multiply_few(KernelContext& ctx, const NBitsPanels& panels, const Rows& rows, int64_t count) {
  const NBits& bits = panels.bits;
  const int64_t depth = panels.depth(), blocks = bits.blocks();
  const NBitsKernels kernels = nbits_kernels(bits.bits);
  const bool has_codes = !rows.codes.empty();
  const int64_t at_once = has_codes ? kMostRows : 2;
  const auto multiply = has_codes ? kernels.multiply_codes : kernels.multiply;
  const float* bias = ctx.has_input(5) ? ctx.input(5).data<float>() : nullptr;
  float* y = ctx.output(0).data<float>();
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (bits.k * kGroupColumns * count));
  return parallel_ranges(ctx, panels.groups, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float sums[kMostRows * kGroupColumns];
    for (int64_t group = begin; group < end; ++group) {
      const int64_t column = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - column);
      for (int64_t row = 0; row < count; row += at_once) {
        for (int64_t i = 0; i < at_once * kGroupColumns; ++i) {
          const int64_t j = i % kGroupColumns;
          sums[i] = bias != nullptr && j < columns ? bias[column + j] : 0;
        }
        const NBitsRows some{.count = static_cast<int>(std::min(at_once, count - row)),
                             .values = has_codes ? nullptr : rows.values + row * depth,
                             .codes = has_codes ? rows.codes.data() + row * depth : nullptr,
                             .scales = rows.scales.data() + row * blocks,
                             .sums = has_codes ? rows.sums.data() + row * blocks : nullptr};
        multiply(panels, group, some, sums);
        for (int r = 0; r < some.count; ++r)
          std::memcpy(y + (row + r) * bits.n + column, sums + r * kGroupColumns,
                      static_cast<size_t>(columns) * sizeof(float));
      }
    }
  });
}

Status run_matmul_nbits(KernelContext& ctx) {
  const auto& panels = ctx.state<NBitsPanels>();
  const NBits& bits = panels.bits;
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const int64_t count = y.count() / bits.n;
  if (bits.k == 0) {
    for (int64_t i = 0; i < y.count(); ++i)
      y.data<float>()[i] = ctx.has_input(5) ? ctx.input(5).data<float>()[i % bits.n] : 0;
    return {};
  }
  SDX_ASSIGN(Rows rows, rows_of(ctx, panels, count));
  if (!rows.codes.empty() || count <= kFewRows) return multiply_few(ctx, panels, rows, count);
  const auto fill_panel = nbits_kernels(bits.bits).fill;
  const PanelFill fill = fill_panel;
  GemmF32 product{.m = count, .n = bits.n, .k = bits.k};
  product.a = {rows.values, panels.depth(), 1};
  product.fill = &fill;
  product.source = &panels;
  product.c = y.data<float>();
  product.c_row = bits.n;
  if (ctx.has_input(5)) {
    product.start = GemmF32::Start::per_column;
    product.bias = ctx.input(5).data<float>();
  }
  return gemm(ctx, product);
}

}  // namespace

SDX_CPU_KERNELS(matmul_nbits, {.name = "matmul_nbits_f32",
                               .can_run = takes_constant_weights,
                               .prepare = prepare_matmul_nbits,
                               .run = run_matmul_nbits,
                               .packs_inputs = input_bit(1) | input_bit(2) | input_bit(3),
                               .scratch_bytes = rows_bytes,
                               .packed_bytes = packed_bytes});

}  // namespace sdx::ops
