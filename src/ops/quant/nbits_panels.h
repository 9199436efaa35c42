// Weights of 2, 4 or 8 bits in groups of 32 columns, for MatMulNBits' kernels. A word of 32 bits is a column's next
// codes, low bits first, as the model has them: 16, 8 or 4 rows; the words of 32 columns lie together.
#pragma once

#include <vector>

#include "base/block_vector.h"
#include "kernel/kernel.h"
#include "ops/quant/matmul_nbits.h"

namespace sdx::ops {

inline constexpr int64_t kGroupColumns = 32;
constexpr int64_t word_rows(int64_t bits) { return 32 / bits; }
constexpr int64_t padded_depth(int64_t k, int64_t bits) {
  return (k + word_rows(bits) - 1) / word_rows(bits) * word_rows(bits);
}
// Where row k of a stands among the codes of rounded rows: as the bytes of a word come out by shifts.
constexpr int64_t code_place(int64_t k, int64_t bits) {
  const int64_t rows = word_rows(bits), in_byte = 8 / bits, at = k % rows;
  return k - at + at % in_byte * 4 + at / in_byte;
}

inline constexpr std::string_view kNBitsPanelsForm = "nbits_words.1";

struct NBitsPanels : KernelState {
  NBits bits;
  int64_t groups = 0;
  BlockVector<uint8_t> codes;  // [group][depth / rows of a word][32 words]
  BlockVector<float> scales;   // [group][block][32], 0 beyond n
  BlockVector<float> zeros;    // the same; empty: `middle` for all
  float middle = 8;

  int64_t depth() const { return padded_depth(bits.k, bits.bits); }
  int64_t row_bytes() const { return kGroupColumns * bits.bits / 8; }
  const uint8_t* group(int64_t g) const { return codes.data() + g * depth() * row_bytes(); }
};

// One row of a, or some. Values: [row][depth] with zeros beyond k. Rounded rows lie side by side, so that a tile walks
// along one pointer: codes [depth / 4][row][4], each at its code_place; scales and sums [block][row]. A sum is that of
// the codes, times -middle where the panels have no zeros: what a block's products start from.
struct NBitsRows {
  int count = 1;
  const float* values = nullptr;
  const int8_t* codes = nullptr;
  const float* scales = nullptr;
  const int32_t* sums = nullptr;
};
inline constexpr int kMostRows = 6;  // at once, at any level

// y[group][row][0, 32) += rows (one or two) times some groups, one weight after another as gemm() over the filled
// panels does.
using MultiplyGroups = void (*)(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& rows,
                                float* y);
inline constexpr int64_t kGroupsTogether = 4;  // worth asking for

// A PanelFill: source is the NBitsPanels.
using FillGroup = void (*)(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel);

struct NBitsKernels {
  MultiplyGroups multiply;
  // The same for up to `code_rows` rounded rows and a single group.
  void (*multiply_codes)(const NBitsPanels& panels, int64_t group, const NBitsRows& rows, float* y);
  FillGroup fill;
  int64_t code_rows = 4;
};
NBitsKernels nbits_kernels(int64_t bits);

// A block of a to signed bytes in [-127, 127], padded with 0 to whole words, each at its code_place, fours of them
// `step` bytes apart; with its scale and their sum.
using RoundBlock = void (*)(const float* a, int64_t count, int64_t bits, int8_t* to, int64_t step, float* scale,
                            int32_t* sum);
RoundBlock round_block_kernel();
using MultiplyCodesOfRows = void (*)(const NBitsPanels&, int64_t, const NBitsRows&, float*);
MultiplyCodesOfRows multiply_codes_avx512_vnni(int64_t bits);
MultiplyCodesOfRows multiply_codes_avx2(int64_t bits);  // 2 or 4
MultiplyGroups multiply_groups_avx512(int64_t bits);
FillGroup fill_avx512(int64_t bits);

}  // namespace sdx::ops
