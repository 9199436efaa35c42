// MatMulNBits for float32 with constant weights of 4 or 8 bits: few rows multiply the codes themselves, more go through
// panels of dequantized weights.
#include <cstring>

#include "base/element.h"
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

Result<std::unique_ptr<KernelState>> prepare_matmul_nbits(const NodeFacts& facts) {
  const Tensor &b = *facts.constant(1), &scales = *facts.constant(2);
  const Tensor* zeros = facts.constant(3);
  auto made = std::make_unique<NBitsPanels>();
  SDX_ASSIGN(made->bits, nbits_of(facts.attributes()));
  const NBits& bits = made->bits;
  const int64_t blocks = bits.blocks(), row_bytes = made->row_bytes();
  made->groups = (bits.n + kGroupColumns - 1) / kGroupColumns;
  const auto width = static_cast<int>(bits.bits);
  made->codes.resize(static_cast<size_t>(made->groups * bits.k * row_bytes));
  made->scales.resize(static_cast<size_t>(made->groups * blocks * kGroupColumns));
  made->zeros.resize(made->scales.size());
  for (int64_t n = 0; n < bits.n; ++n) {
    const int64_t group = n / kGroupColumns, column = n % kGroupColumns;
    for (int64_t block = 0; block < blocks; ++block) {
      const auto at = static_cast<size_t>((group * blocks + block) * kGroupColumns + column);
      double zero = static_cast<double>(int64_t{1} << (bits.bits - 1));
      if (zeros != nullptr) {
        zero = zeros->dtype() == DType::u8 ? load_packed(width, zeros->data<uint8_t>() + n * bits.zero_bytes(), block)
                                           : load_double(*zeros, n * blocks + block);
      }
      made->scales[at] = static_cast<float>(load_double(scales, n * blocks + block));
      made->zeros[at] = static_cast<float>(zero);
    }
    const uint8_t* from = b.data<uint8_t>() + n * blocks * bits.block_bytes();
    uint8_t* to = made->codes.data() + group * bits.k * row_bytes;
    if (bits.bits == 8) {
      for (int64_t k = 0; k < bits.k; ++k) to[k * row_bytes + column] = from[k];
      continue;
    }
    const int high = column >= 16 ? 4 : 0;
    for (int64_t k = 0; k < bits.k; ++k) {
      const int code = from[k / 2] >> (k % 2 * 4) & 15;  // a block has an even number of codes
      to[k * row_bytes + column % 16] |= static_cast<uint8_t>(code << high);
    }
  }
  return std::unique_ptr<KernelState>(std::move(made));
}

// Rows of a as codes and a scale a block; as they are, with scales of 1, where nothing is rounded.
struct Rows {
  const float* codes;
  std::vector<float> own, scales;
};
Result<Rows> rows_of(KernelContext& ctx, const NBits& bits, int64_t count) {
  const int64_t blocks = bits.blocks();
  Rows rows{ctx.input(0).data<float>(), {}, std::vector<float>(static_cast<size_t>(count * blocks), 1.0f)};
  if (!rounds_rows(ctx.attributes())) return rows;
  rows.own.resize(static_cast<size_t>(count * bits.k));
  SDX_TRY(parallel_ranges(ctx, count, std::max<int64_t>(1, 8192 / bits.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * blocks; i < end * blocks; ++i) {
      const int64_t first = i % blocks * bits.block, at = i / blocks * bits.k + first;
      rows.scales[static_cast<size_t>(i)] =
          round_block(rows.codes + at, std::min(bits.block, bits.k - first), rows.own.data() + at);
    }
  }));
  rows.codes = rows.own.data();
  return rows;
}

Status multiply_few(KernelContext& ctx, const NBitsPanels& panels, const Rows& rows, int64_t count) {
  const NBits& bits = panels.bits;
  const NBitsKernels kernels = nbits_kernels(bits.bits);
  const float* bias = ctx.has_input(5) ? ctx.input(5).data<float>() : nullptr;
  float* y = ctx.output(0).data<float>();
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (bits.k * kGroupColumns * count));
  return parallel_ranges(ctx, panels.groups, grain, [&](int64_t begin, int64_t end) {
    alignas(64) float sums[2 * kGroupColumns];
    for (int64_t group = begin; group < end; ++group) {
      const int64_t column = group * kGroupColumns, columns = std::min(kGroupColumns, bits.n - column);
      for (int64_t row = 0; row < count; row += 2) {
        const int together = row + 1 < count ? 2 : 1;
        for (int64_t i = 0; i < 2 * kGroupColumns; ++i) {
          const int64_t j = i % kGroupColumns;
          sums[i] = bias != nullptr && j < columns ? bias[column + j] : 0;
        }
        kernels.multiply(panels, group, together, rows.codes + row * bits.k, rows.scales.data() + row * bits.blocks(),
                         sums);
        for (int r = 0; r < together; ++r)
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
  SDX_ASSIGN(Rows rows, rows_of(ctx, bits, count));
  if (count <= kFewRows) return multiply_few(ctx, panels, rows, count);
  if (!rows.own.empty())
    for (int64_t i = 0; i < count * bits.k; ++i)
      rows.own[static_cast<size_t>(i)] *=
          rows.scales[static_cast<size_t>(i / bits.k * bits.blocks() + i % bits.k / bits.block)];
  const auto fill_panel = nbits_kernels(bits.bits).fill;
  const PanelFill fill = fill_panel;
  GemmF32 product{.m = count, .n = bits.n, .k = bits.k};
  product.a = {rows.codes, bits.k, 1};
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
                               .packs_inputs = input_bit(1) | input_bit(2) | input_bit(3)});

}  // namespace sdx::ops
