// Weights of 2, 4 or 8 bits in groups of 32 columns, for MatMulNBits' kernels. A word of 32 bits is a column's next
// codes, low bits first, as the model has them: 16, 8 or 4 rows; the words of 32 columns lie together.
#pragma once

#include <array>

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

// Which of 16 codes comes to each place.
template <int bits>
inline constexpr std::array<int8_t, 16> kCodeOrder = [] {
  std::array<int8_t, 16> order = {};
  for (int64_t k = 0; k < 16; ++k) order[static_cast<size_t>(code_place(k, bits))] = static_cast<int8_t>(k);
  return order;
}();
inline const int8_t* code_order(int64_t bits) {
  return (bits == 2 ? kCodeOrder<2> : bits == 4 ? kCodeOrder<4> : kCodeOrder<8>).data();
}

inline constexpr std::string_view kNBitsPanelsForm = "nbits_words.2";

struct NBitsPanels : KernelState {
  NBits bits;
  int64_t groups = 0;
  BlockVector<uint8_t> codes;  // [group][depth / rows of a word][32 words]
  BlockVector<float> scales;   // [group][block][32], 0 beyond n
  // Zero points likewise, as bytes or as floats; both empty: `middle` for all.
  BlockVector<uint8_t> byte_zeros;
  BlockVector<float> float_zeros;
  float middle = 8;

  bool has_zeros() const { return !byte_zeros.empty() || !float_zeros.empty(); }
  int64_t depth() const { return padded_depth(bits.k, bits.bits); }
  int64_t row_bytes() const { return kGroupColumns * bits.bits / 8; }
  const uint8_t* group(int64_t g) const { return codes.data() + g * depth() * row_bytes(); }
};

// One row of a, or some. Values: [row][depth] with zeros beyond k. Rounded rows lie side by side, so that a tile walks
// along one pointer: codes [depth / 4][row][4], each at its code_place; scales and sums [block][row]. A sum is that of
// the codes, times -middle where the panels have no zeros: what a block's products start from.
// Digits: a row is three rows of codes, d0 + 2^8 d1 + 2^16 d2 = value / scale with a power of two for the scale, so
// that products are those of the values rounded to 1 / 2^23 of the block's largest. sums are [block][row][digit].
struct NBitsRows {
  int count = 1;
  int64_t apart = 1;  // of the groups that one row of codes is multiplied by together
  const float* values = nullptr;
  const int8_t* codes = nullptr;
  const float* scales = nullptr;
  const int32_t* sums = nullptr;
  const float* totals = nullptr;  // of digits, where the panels have zeros: [block][row], the sum of the digits' values
};
inline constexpr int kMostRows = 6;  // at once, at any level
inline constexpr int kDigits = 3, kDigitRows = 2;

// y[group][row][0, 32) += rows (one or two) times some groups, one weight after another as gemm() over the filled
// panels does.
using MultiplyGroups = void (*)(const NBitsPanels& panels, int64_t group, int64_t groups, const NBitsRows& rows,
                                float* y);
inline constexpr int64_t kGroupsTogether = 4;  // worth asking for
using RowDigits = bool (*)(const float* a, int64_t count, int64_t bits, int8_t* to, int64_t step, float* scale,
                           int32_t* sums);

// A PanelFill: source is the NBitsPanels.
using FillGroup = void (*)(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel);

struct NBitsKernels {
  MultiplyGroups multiply;
  MultiplyGroups multiply_codes;  // the same for up to `code_rows` rounded rows
  FillGroup fill;
  int64_t code_rows = 4;
  int64_t row_groups = 1;  // that one row of codes or digits is better multiplied by together
  // Up to kDigitRows rows of digits; null: not faster than `multiply` here.
  MultiplyGroups multiply_digits = nullptr;
  // A block of a to digits as RoundBlock has codes, one digit after the other; false where they do not hold it: it has
  // infinities, NaN, or only numbers that are too small.
  RowDigits digits = nullptr;

  bool has_digits(const NBits& bits) const { return multiply_digits != nullptr && bits.block <= kMostDigitBlock; }
  static constexpr int64_t kMostDigitBlock = 8192;  // sums of 32 bits hold it
};
NBitsKernels nbits_kernels(int64_t bits);

// A block of a to signed bytes in [-127, 127], padded with 0 to whole words, each at its code_place, fours of them
// `step` bytes apart; with its scale and their sum.
using RoundBlock = void (*)(const float* a, int64_t count, int64_t bits, int8_t* to, int64_t step, float* scale,
                            int32_t* sum);
RoundBlock round_block_kernel();
void use_avx512_vnni(int64_t bits, NBitsKernels& made);
MultiplyGroups multiply_codes_avx2(int64_t bits);  // 2 or 4
MultiplyGroups multiply_groups_avx512(int64_t bits);
FillGroup fill_avx512(int64_t bits);

}  // namespace sdx::ops
