// MatMulNBits for float32 with constant weights. Rounded rows multiply the codes themselves, and so do float rows, cut
// into digits, where bytes have dot products. Others multiply dequantized weights, of which many rows share panels; few
// and many sum in the same order: a row's bits do not depend on how many there are.
#include <cstring>

#include "base/element.h"
#include "kernel/scratch_parts.h"
#include "ops/conv/blocked_tiles.h"
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

// Columns of `count` words each, one after the other from `from` on, to rows of a word of each column. Words are moved
// as floats, whatever they are.
void turn_columns(const void* from, int64_t count, float* to) {
  const BlockedTiles& tiles = blocked_tiles();
  const auto* words = static_cast<const float*>(from);
  for (int64_t j = 0; j < kGroupColumns; j += kChannelBlock)
    tiles.pack_filters(words + j * count, count, kChannelBlock, count, 1, to + j, kGroupColumns);
}

// The words of the columns of a group, read side by side.
void pack_group(const uint8_t* b, int64_t group, NBitsPanels& made) {
  const NBits& bits = made.bits;
  const int64_t stride = bits.blocks() * bits.block_bytes(), rows = word_rows(bits.bits);
  const int64_t first = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - first);
  const uint8_t* from = b + first * stride;
  const int64_t bytes = made.depth() * made.row_bytes();
  uint8_t* to = made.codes.data() + group * bytes;
  if (const int64_t words = made.depth() / rows; columns == kGroupColumns && words * 4 == stride && words % 4 == 0)
    return turn_columns(from, words, reinterpret_cast<float*>(to));
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
  if (columns < kGroupColumns) {
    const int64_t first_parameter = group * blocks * kGroupColumns, parameters = blocks * kGroupColumns;
    std::fill_n(to_scales, parameters, 0.0f);
    if (!made.byte_zeros.empty()) std::fill_n(made.byte_zeros.data() + first_parameter, parameters, uint8_t{0});
    if (!made.float_zeros.empty()) std::fill_n(made.float_zeros.data() + first_parameter, parameters, 0.0f);
  }
  const bool turned = columns == kGroupColumns && blocks % 4 == 0;
  if (turned) turn_columns(scales.bytes() + first * blocks * static_cast<int64_t>(sizeof(float)), blocks, to_scales);
  for (int64_t j = 0; j < columns; ++j) {
    const std::byte* from = scales.bytes() + (first + j) * blocks * static_cast<int64_t>(sizeof(float));
    for (int64_t block = 0; block < blocks && !turned; ++block)
      std::memcpy(to_scales + block * kGroupColumns + j, from + block * static_cast<int64_t>(sizeof(float)),
                  sizeof(float));
    for (int64_t block = 0; block < blocks && zeros != nullptr; ++block) {
      const auto to = static_cast<size_t>((group * blocks + block) * kGroupColumns + j);
      if (made.byte_zeros.empty()) {
        made.float_zeros[to] = static_cast<float>(load_double(*zeros, (first + j) * blocks + block));
      } else {
        const uint8_t* codes = zeros->data<uint8_t>() + (first + j) * bits.zero_bytes();
        made.byte_zeros[to] = static_cast<uint8_t>(load_packed(static_cast<int>(bits.bits), codes, block));
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
  const size_t parameters = static_cast<size_t>(made->groups * blocks * kGroupColumns);
  made->scales.resize(parameters);
  if (zeros != nullptr && zeros->dtype() == DType::u8) made->byte_zeros.resize(parameters);
  if (zeros != nullptr && zeros->dtype() != DType::u8) made->float_zeros.resize(parameters);
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
  const int64_t zero = !facts.has_input(3) ? 0 : facts.dtype(3) == DType::u8 ? 1 : 4;
  return groups * (codes + bits->blocks() * kGroupColumns * (4 + zero));
}

// Rows of a in tiles of nearly equal height, at most `most`.
struct Tiles {
  int64_t count, height, taller;  // the first `taller` have one row more

  Tiles(int64_t rows, int64_t most)
      : count((rows + most - 1) / most), height(rows / std::max<int64_t>(count, 1)), taller(rows - height * count) {}
  int64_t rows(int64_t tile) const { return height + (tile < taller ? 1 : 0); }
  int64_t first(int64_t tile) const { return tile * height + std::min(tile, taller); }
};

// Rounded rows or rows of digits, tile after tile as NBitsRows has them.
struct CodedRows {
  int64_t digits;
  std::span<int8_t> codes;
  std::span<float> scales;
  std::span<int32_t> sums;
  std::span<float> totals;  // of digits, where there are zeros
  std::span<bool> odd;      // rows that digits do not hold

  NBitsRows tile(const Tiles& tiles, int64_t index, const NBitsPanels& panels) const {
    const int64_t first = tiles.first(index), blocks = panels.bits.blocks();
    return {.count = static_cast<int>(tiles.rows(index)),
            .codes = codes.data() + first * panels.depth() * digits,
            .scales = scales.data() + first * blocks,
            .sums = sums.data() + first * blocks * digits,
            .totals = totals.empty() ? nullptr : totals.data() + first * blocks};
  }
};

Result<CodedRows> code_rows(KernelContext& ctx, const NBitsPanels& panels, const NBitsKernels& kernels, int64_t count,
                            const Tiles& tiles, int64_t digits, ScratchParts& scratch) {
  const NBits& bits = panels.bits;
  const int64_t blocks = bits.blocks(), depth = panels.depth();
  const float* a = ctx.input(0).data<float>();
  const bool has_zeros = panels.has_zeros();
  CodedRows made{.digits = digits,
                 .codes = scratch.take<int8_t>(count * depth * digits),
                 .scales = scratch.take<float>(count * blocks),
                 .sums = scratch.take<int32_t>(count * blocks * digits),
                 .totals = scratch.take<float>(digits != 1 && has_zeros ? count * blocks : 0),
                 .odd = scratch.take<bool>(digits != 1 ? count : 0)};
  const RoundBlock round = round_block_kernel();
  const auto middle = static_cast<int32_t>(panels.middle);
  const int64_t grain = std::max<int64_t>(1, 8192 / bits.k);
  SDX_TRY(parallel_ranges(ctx, tiles.count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t rows = tiles.rows(tile), first = tiles.first(tile);
      for (int64_t row = 0; row < rows; ++row) {
        const float* from = a + (first + row) * bits.k;
        int8_t* to = made.codes.data() + (first * depth + 4 * row) * digits;
        bool odd = false;
        for (int64_t block = 0, k = 0; block < blocks; ++block, k += bits.block) {
          const int64_t at = first * blocks + block * rows + row, some = std::min(bits.block, bits.k - k);
          int32_t* sums = &made.sums[static_cast<size_t>(at * digits)];
          float* scale = &made.scales[static_cast<size_t>(at)];
          int8_t* codes = to + k * rows * digits;
          if (digits == 1) {
            round(from + k, some, bits.bits, codes, 4 * rows, scale, sums);
          } else if (odd = !kernels.digits(from + k, some, bits.bits, codes, 4 * rows * digits, scale, sums); odd) {
            break;
          }
          if (!has_zeros) {
            for (int64_t digit = 0; digit < digits; ++digit) sums[digit] *= -middle;
          } else if (digits != 1) {
            made.totals[static_cast<size_t>(at)] =
                static_cast<float>(sums[0]) + 256 * static_cast<float>(sums[1]) + 65536 * static_cast<float>(sums[2]);
          }
        }
        if (digits != 1) made.odd[static_cast<size_t>(first + row)] = odd;
      }
    }
  }));
  return made;
}

// Rows of a as they are, with zeros up to `depth`.
Result<const float*> padded_rows(KernelContext& ctx, const NBitsPanels& panels, int64_t first, int64_t count,
                                 ScratchParts scratch) {
  const int64_t k = panels.bits.k, depth = panels.depth();
  const float* a = ctx.input(0).data<float>() + first * k;
  if (depth == k) return a;
  const std::span<float> made = scratch.take<float>(count * depth);
  SDX_TRY(parallel_ranges(ctx, count, std::max<int64_t>(1, 8192 / k), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      std::memcpy(made.data() + row * depth, a + row * k, static_cast<size_t>(k) * sizeof(float));
      std::fill(made.data() + row * depth + k, made.data() + (row + 1) * depth, 0.0f);
    }
  }));
  return static_cast<const float*>(made.data());
}

Dim rows_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  SymbolTable& symbols = facts.symbols;
  const auto bits = nbits_of(facts.node.attributes());
  if (!bits.ok() || !facts.node.has_rank(0)) return bits.ok() ? symbols.fresh() : Dim(0);
  Dim count(1);
  for (int axis = 0; axis + 1 < facts.node.rank(0); ++axis) count = symbols.mul(count, size.input(0, axis));
  const int64_t depth = padded_depth(bits->k, bits->bits);
  const Dim of_blocks = symbols.mul(count, Dim(bits->blocks())), of_rows = symbols.mul(count, Dim(depth));
  if (rounds_rows(facts.node))
    return size.part(of_rows, 1).part(of_blocks, sizeof(float)).part(of_blocks, sizeof(int32_t)).bytes();
  if (nbits_kernels(bits->bits).has_digits(*bits))
    return size.part(of_rows, kDigits)
        .part(of_blocks, sizeof(float))
        .part(of_blocks, kDigits * sizeof(int32_t))
        .part(facts.node.has_input(3) ? of_blocks : Dim(0), sizeof(float))
        .part(count, sizeof(bool))
        .part(depth == bits->k ? Dim(0) : Dim(depth), sizeof(float))
        .bytes();
  return depth == bits->k ? Dim(0) : size.part(of_rows, sizeof(float)).bytes();
}

// y's columns of a group, for some rows: sums [row][kGroupColumns] start from the bias.
class GroupColumns {
 public:
  GroupColumns(KernelContext& ctx, const NBitsPanels& panels, int64_t group)
      : column_(group * kGroupColumns),
        columns_(std::min(kGroupColumns, panels.bits.n - column_)),
        n_(panels.bits.n),
        bias_(ctx.has_input(5) ? ctx.input(5).data<float>() + column_ : nullptr),
        y_(ctx.output(0).data<float>()) {}

  void start(int64_t rows, float* sums) const {
    std::fill_n(sums, rows * kGroupColumns, 0.0f);
    if (bias_ == nullptr) return;
    for (int64_t r = 0; r < rows; ++r) std::copy_n(bias_, columns_, sums + r * kGroupColumns);
  }
  void finish(int64_t row, int64_t rows, const float* sums) const {
    for (int64_t r = 0; r < rows; ++r) std::copy_n(sums + r * kGroupColumns, columns_, y_ + (row + r) * n_ + column_);
  }

 private:
  int64_t column_, columns_, n_;
  const float* bias_;
  float* y_;
};

int64_t group_grain(int64_t k, int64_t rows) {
  return std::max<int64_t>(1, (int64_t{1} << 18) / (k * kGroupColumns * rows));
}

Status multiply_few(KernelContext& ctx, const NBitsPanels& panels, const float* rows, int64_t first_row,
                    int64_t count) {
  constexpr int64_t kAtOnce = 2;
  const MultiplyGroups multiply = nbits_kernels(panels.bits.bits).multiply;
  const int64_t parts = (panels.groups + kGroupsTogether - 1) / kGroupsTogether;
  const int64_t grain = group_grain(panels.bits.k, count * kGroupsTogether);
  return parallel_ranges(ctx, parts, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float sums[kGroupsTogether * kAtOnce * kGroupColumns];
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = part * kGroupsTogether, groups = std::min(kGroupsTogether, panels.groups - first);
      for (int64_t row = 0; row < count; row += kAtOnce) {
        const int64_t some = std::min(kAtOnce, count - row);
        const NBitsRows taken{.count = static_cast<int>(some), .values = rows + row * panels.depth()};
        const auto sums_of = [&](int64_t g) { return sums + g * some * kGroupColumns; };
        for (int64_t g = 0; g < groups; ++g) GroupColumns(ctx, panels, first + g).start(some, sums_of(g));
        multiply(panels, first, groups, taken, sums);
        for (int64_t g = 0; g < groups; ++g)
          GroupColumns(ctx, panels, first + g).finish(first_row + row, some, sums_of(g));
      }
    }
  });
}

// As many tiles go together through the groups as stay in the second cache.
Status multiply_coded(KernelContext& ctx, const NBitsPanels& panels, const NBitsKernels& kernels, int64_t count,
                      int64_t digits) {
  constexpr int64_t kTogetherBytes = int64_t{1} << 18;
  const int64_t height = digits == 1 ? kernels.code_rows : kDigitRows;
  const MultiplyGroups multiply = digits == 1 ? kernels.multiply_codes : kernels.multiply_digits;
  const Tiles tiles(count, height);
  ScratchParts scratch(ctx);
  SDX_ASSIGN(const CodedRows rows, code_rows(ctx, panels, kernels, count, tiles, digits, scratch));
  const int64_t together = std::clamp<int64_t>(kTogetherBytes / (panels.depth() * height * digits), 1, tiles.count);
  // One row reads some places of the weights at once, each of which goes on where the groups before ended.
  const int64_t some = count == 1 ? kernels.row_groups : 1, columns = (panels.groups + some - 1) / some;
  const int64_t parts = (tiles.count + together - 1) / together;
  const int64_t grain = group_grain(panels.bits.k, some * together * height);
  SDX_TRY(parallel_ranges(ctx, parts * columns, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % columns, groups = first + columns < panels.groups ? some : 1;
      const int64_t from = i / columns * together;
      alignas(64) float sums[kMostRows * kGroupColumns];
      for (int64_t tile = from; tile < std::min(from + together, tiles.count); ++tile) {
        const int64_t row = tiles.first(tile), count_of_tile = tiles.rows(tile);
        const auto sums_of = [&](int64_t g) { return sums + g * count_of_tile * kGroupColumns; };
        const auto y_of = [&](int64_t g) { return GroupColumns(ctx, panels, first + g * columns); };
        for (int64_t g = 0; g < groups; ++g) y_of(g).start(count_of_tile, sums_of(g));
        NBitsRows taken = rows.tile(tiles, tile, panels);
        taken.apart = columns;
        multiply(panels, first, groups, taken, sums);
        for (int64_t g = 0; g < groups; ++g) y_of(g).finish(row, count_of_tile, sums_of(g));
      }
    }
  }));
  for (int64_t row = 0; row < static_cast<int64_t>(rows.odd.size()); ++row) {
    if (!rows.odd[static_cast<size_t>(row)]) continue;
    SDX_ASSIGN(const float* values, padded_rows(ctx, panels, row, 1, scratch));
    SDX_TRY(multiply_few(ctx, panels, values, row, 1));
  }
  return {};
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
  const NBitsKernels kernels = nbits_kernels(bits.bits);
  if (rounds_rows(ctx)) return multiply_coded(ctx, panels, kernels, count, 1);
  if (kernels.has_digits(bits)) return multiply_coded(ctx, panels, kernels, count, kDigits);
  SDX_ASSIGN(const float* rows, padded_rows(ctx, panels, 0, count, ScratchParts(ctx)));
  if (count <= kFewRows) return multiply_few(ctx, panels, rows, 0, count);
  const auto fill_panel = kernels.fill;
  const PanelFill fill = fill_panel;
  GemmF32 product{.m = count, .n = bits.n, .k = bits.k};
  product.a = {rows, panels.depth(), 1};
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
