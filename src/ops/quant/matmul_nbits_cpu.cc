// MatMulNBits for float32 with constant weights of 4 or 8 bits. Rounded rows multiply 4-bit codes themselves; others
// dequantized weights, of which many rows share panels. Both ways sum in the same order: a row's bits do not depend on
// how many there are.
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
  if (facts.attr_int("bits", 4) != 4 && facts.attr_int("bits", 4) != 8) return no("only 4 and 8 bits");
  if (facts.has_input(4)) return no("g_idx is given");
  for (const size_t i : {1, 2, 3})
    if (facts.has_input(i) && facts.constant(i) == nullptr) return no("weights are not constant");
  return yes();
}

// The first, third, fifth and seventh 4 bits.
uint32_t every_other(uint32_t codes) {
  codes &= 0x0f0f0f0f;
  codes = (codes | codes >> 4) & 0x00ff00ff;
  return (codes | codes >> 8) & 0xffff;
}

void store_octet(uint32_t codes, uint8_t* to) {
  const uint32_t word = every_other(codes) | every_other(codes >> 4) << 16;
  std::memcpy(to, &word, sizeof(word));
}

// The rows of b that are the columns of a group, read side by side.
void pack_group(const uint8_t* b, int64_t group, NBitsPanels& made) {
  const NBits& bits = made.bits;
  const int64_t row_bytes = made.row_bytes(), stride = bits.blocks() * bits.block_bytes();
  const int64_t first = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - first);
  const uint8_t* from = b + first * stride;
  uint8_t* to = made.codes.data() + group * made.depth() * row_bytes;
  if (bits.bits == 8) {
    for (int64_t k = 0; k < bits.k; ++k)
      for (int64_t j = 0; j < columns; ++j) to[k * row_bytes + j] = from[j * stride + k];
    return;
  }
  const int64_t whole = bits.k / kOctet * kOctet;
  for (int64_t k = 0; k < whole; k += kOctet) {
    for (int64_t j = 0; j < columns; ++j) {
      uint32_t codes;
      std::memcpy(&codes, from + j * stride + k / 2, sizeof(codes));
      store_octet(codes, to + k * row_bytes + j * 4);
    }
  }
  if (whole == bits.k) return;
  const int64_t left = bits.k - whole;
  for (int64_t j = 0; j < columns; ++j) {
    uint32_t codes = 0;  // a block has an even number of them
    std::memcpy(&codes, from + j * stride + whole / 2, static_cast<size_t>(left + 1) / 2);
    store_octet(codes & ~(~uint32_t{0} << left * 4), to + whole * row_bytes + j * 4);
  }
}

// The scales and zero points of a group: rows of blocks, a value a column.
void pack_parameters(const Tensor& scales, const Tensor* zeros, int64_t group, NBitsPanels& made) {
  const NBits& bits = made.bits;
  const int64_t blocks = bits.blocks(), first = group * kGroupColumns;
  const int64_t columns = std::min(kGroupColumns, bits.n - first);
  float* to_scales = made.scales.data() + group * blocks * kGroupColumns;
  float* to_zeros = made.zeros.data() + group * blocks * kGroupColumns;
  const auto middle = static_cast<float>(int64_t{1} << (bits.bits - 1));
  for (int64_t j = 0; j < columns; ++j) {
    const std::byte* from = scales.bytes() + (first + j) * blocks * static_cast<int64_t>(sizeof(float));
    for (int64_t block = 0; block < blocks; ++block)
      std::memcpy(to_scales + block * kGroupColumns + j, from + block * static_cast<int64_t>(sizeof(float)),
                  sizeof(float));
    const int64_t row = (first + j) * blocks;
    const uint8_t* codes = zeros == nullptr ? nullptr : zeros->data<uint8_t>() + (first + j) * bits.zero_bytes();
    for (int64_t block = 0; block < blocks; ++block) {
      float& zero = to_zeros[block * kGroupColumns + j];
      if (zeros == nullptr) {
        zero = middle;
      } else if (zeros->dtype() != DType::u8) {
        zero = static_cast<float>(load_double(*zeros, row + block));
      } else {
        zero = bits.bits == 8 ? codes[block] : static_cast<float>(codes[block / 2] >> block % 2 * 4 & 15);
      }
    }
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
  made->zeros.resize(made->scales.size());
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
  const int64_t codes = padded_depth(bits->k) * kGroupColumns * bits->bits / 8;
  const int64_t parameters = 2 * bits->blocks() * kGroupColumns * static_cast<int64_t>(sizeof(float));
  return groups * (codes + parameters);
}

// Rows of a, each `depth` long, and what belongs to their blocks.
struct Rows {
  const float* values = nullptr;
  std::span<float> own = {}, scales = {}, sums = {};
  std::span<int16_t> codes = {};  // of rounded rows
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
  rows.own = scratch.take<float>(count * depth);
  rows.values = rows.own.data();
  if (rounds) {
    rows.codes = scratch.take<int16_t>(count * depth);
    rows.sums = scratch.take<float>(count * blocks);
  }
  SDX_TRY(parallel_ranges(ctx, count, std::max<int64_t>(1, 8192 / bits.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * blocks; i < end * blocks; ++i) {
      const int64_t row = i / blocks, first = i % blocks * bits.block, size = std::min(bits.block, bits.k - first);
      const float* from = a + row * bits.k + first;
      float* to = rows.own.data() + row * depth + first;
      if (first + size == bits.k) {  // zeros up to the depth
        std::fill(to + size, rows.own.data() + (row + 1) * depth, 0.0f);
        if (rounds) std::fill(rows.codes.data() + row * depth + bits.k, rows.codes.data() + (row + 1) * depth, 0);
      }
      if (!rounds) {
        std::memcpy(to, from, static_cast<size_t>(size) * sizeof(float));
        continue;
      }
      rows.scales[static_cast<size_t>(i)] = round_block(from, size, to);
      float sum = 0;
      for (int64_t k = 0; k < size; ++k) {
        sum += to[k];
        const bool fits = to[k] >= -127 && to[k] <= 127;  // not where a holds NaN: there the scale is NaN too
        rows.codes[static_cast<size_t>(row * depth + first + k)] = fits ? static_cast<int16_t>(to[k]) : int16_t{0};
      }
      rows.sums[static_cast<size_t>(i)] = sum;
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
  const int64_t depth = padded_depth(bits->k);
  const bool rounds = rounds_rows(facts.node);
  const Dim of_blocks = symbols.mul(count, Dim(bits->blocks())), of_rows = symbols.mul(count, Dim(depth));
  size.part(of_blocks, sizeof(float));
  if (!rounds && depth == bits->k) return size.bytes();
  size.part(of_rows, sizeof(float));
  if (rounds) size.part(of_rows, sizeof(int16_t)).part(of_blocks, sizeof(float));
  return size.bytes();
}

Status multiply_few(KernelContext& ctx, const NBitsPanels& panels, const Rows& rows, int64_t count) {
  const NBits& bits = panels.bits;
  const int64_t depth = panels.depth(), blocks = bits.blocks();
  const NBitsKernels kernels = nbits_kernels(bits.bits);
  const bool has_codes = !rows.codes.empty() && kernels.multiply_codes != nullptr;
  const auto multiply = has_codes ? kernels.multiply_codes : kernels.multiply;
  const float* bias = ctx.has_input(5) ? ctx.input(5).data<float>() : nullptr;
  float* y = ctx.output(0).data<float>();
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (bits.k * kGroupColumns * count));
  return parallel_ranges(ctx, panels.groups, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float sums[2 * kGroupColumns];
    for (int64_t group = begin; group < end; ++group) {
      const int64_t column = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - column);
      for (int64_t row = 0; row < count; row += 2) {
        for (int64_t i = 0; i < 2 * kGroupColumns; ++i) {
          const int64_t j = i % kGroupColumns;
          sums[i] = bias != nullptr && j < columns ? bias[column + j] : 0;
        }
        const NBitsRows some{.count = row + 1 < count ? 2 : 1,
                             .values = rows.values + row * depth,
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
  const bool multiplies_codes = !rows.codes.empty() && nbits_kernels(bits.bits).multiply_codes != nullptr;
  if (!rows.codes.empty() && !multiplies_codes)
    for (int64_t i = 0; i < count * bits.k; ++i)
      rows.own[static_cast<size_t>(i / bits.k * panels.depth() + i % bits.k)] *=
          rows.scales[static_cast<size_t>(i / bits.k * bits.blocks() + i % bits.k / bits.block)];
  if (multiplies_codes || count <= kFewRows) return multiply_few(ctx, panels, rows, count);
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
