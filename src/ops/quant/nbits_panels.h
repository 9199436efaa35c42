// Weights of 4 or 8 bits in groups of 32 columns, for MatMulNBits' kernel. 8 bits: a row of a group is 32 bytes. 4
// bits: eight rows are 32 words, one a column, that hold rows 0, 2, 4, 6, 1, 3, 5 and 7 from their low end: as pairs of
// 16 bits, each shift leaves two neighbouring rows side by side.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "ops/quant/matmul_nbits.h"

namespace sdx::ops {

inline constexpr int64_t kGroupColumns = 32;
inline constexpr int64_t kOctet = 8;  // rows of a group that lie together
constexpr int octet_shift(int64_t row) { return static_cast<int>(row % 2 * 16 + row / 2 * 4); }

constexpr int64_t padded_depth(int64_t k) { return (k + kOctet - 1) / kOctet * kOctet; }

inline constexpr std::string_view kNBitsPanelsForm = "nbits_groups.1";

struct NBitsPanels : KernelState {
  NBits bits;
  int64_t groups = 0;
  std::vector<uint8_t> codes;        // [group][depth][bytes of a row]
  std::vector<float> scales, zeros;  // [group][block][32], 0 beyond n

  int64_t depth() const { return padded_depth(bits.k); }
  int64_t row_bytes() const { return kGroupColumns * bits.bits / 8; }
  const uint8_t* group(int64_t g) const { return codes.data() + g * depth() * row_bytes(); }
};

// One or two rows of a: [row][depth] with zeros beyond k; of rounded rows a scale and a sum a block.
struct NBitsRows {
  int count = 1;
  const float* values = nullptr;
  const int16_t* codes = nullptr;                  // of rounded rows
  const float *scales = nullptr, *sums = nullptr;  // of rounded rows
};

struct NBitsKernels {
  // y[row][0, 32) += rows times a group, one weight after another as gemm() over the filled panels does.
  void (*multiply)(const NBitsPanels& panels, int64_t group, const NBitsRows& rows, float* y);
  // The same for rounded rows; null for 8 bits.
  void (*multiply_codes)(const NBitsPanels& panels, int64_t group, const NBitsRows& rows, float* y);
  // A PanelFill: source is the NBitsPanels.
  void (*fill)(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel);
};
NBitsKernels nbits_kernels(int64_t bits);

}  // namespace sdx::ops
