// Weights of 4 or 8 bits in groups of 32 columns, for MatMulNBits' kernel: a row of a group is 16 bytes (columns 0 to
// 15 in the low halves, 16 to 31 in the high ones) or 32.
#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "ops/quant/matmul_nbits.h"

namespace sdx::ops {

inline constexpr int64_t kGroupColumns = 32;

struct NBitsPanels : KernelState {
  NBits bits;
  int64_t groups = 0;
  std::vector<uint8_t> codes;        // [group][k][bytes of a row]
  std::vector<float> scales, zeros;  // [group][block][32], 0 beyond n

  int64_t row_bytes() const { return kGroupColumns * bits.bits / 8; }
  const uint8_t* group(int64_t g) const { return codes.data() + g * bits.k * row_bytes(); }
};

struct NBitsKernels {
  // y[row][0, 32) += sum of a[row] times a group, for one or two rows of a: codes and a scale a block each.
  void (*multiply)(const NBitsPanels& panels, int64_t group, int rows, const float* a, const float* a_scales, float* y);
  // A PanelFill: source is the NBitsPanels.
  void (*fill)(const void* source, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel);
};
NBitsKernels nbits_kernels(int64_t bits);

}  // namespace sdx::ops
