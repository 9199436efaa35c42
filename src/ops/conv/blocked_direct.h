// The direct convolution over blocked channels: regions of the output, each from a padded copy of its input that lies
// next to the processor (1x1 convolutions read the input where it is).
#pragma once

#include <bit>

#include "ops/conv/blocked_weights.h"
#include "ops/conv/im2col.h"

namespace sdx::ops {

// How the output is cut: by shapes alone.
struct DirectPlan {
  bool one_row = false;           // of pixels: the kernel has one element
  bool in_place = false;          // the input is read where it lies
  int64_t rows = 0, columns = 0;  // of a region
  int64_t row_parts = 0, column_parts = 0, panel_parts = 0;
  int64_t copied_blocks = 0;  // of input channels, in the copy at once
  int64_t chunk_blocks = 0;   // whose weights a tile takes at once
};

// The copy of a region's input: [block][kernel plane][row][phase of the column modulo the stride][column][lane].
struct PatchLayout {
  PatchLayout(const Im2col& sizes, int64_t lanes, int64_t rows, int64_t columns);

  int64_t rows, columns, phase_columns;      // of the input
  int64_t row_size, plane_size, block_size;  // floats
  uint64_t phases;                           // bit i: some kernel element reads columns i modulo the stride

  int64_t phase_place(int64_t phase) const;
  bool has_all_phases(const Im2col& sizes) const { return std::popcount(phases) == sizes.stride[2]; }
};

// A row of the input, of which column x0 is the layout's first, where the layout has it; zeros beyond the input.
void fill_patch_row(const Im2col& sizes, const PatchLayout& layout, int64_t lanes, const float* row, int64_t x0,
                    void (*copy)(const float* from, int64_t step, int64_t count, float* to), float* to);

// The kernel elements, [begin, end) of each axis, that lie inside the input for a row of the output.
struct TapsInside {
  int64_t planes[2], rows[2];
  TapsInside(const Im2col& sizes, int64_t plane, int64_t row);
  constexpr TapsInside() : planes{-1, -1}, rows{-1, -1} {}
  friend bool operator==(const TapsInside&, const TapsInside&) = default;
};

// `size` in parts of nearly equal length, a multiple of `unit`, none longer than `longest`.
int64_t even_part(int64_t size, int64_t longest, int64_t unit);
constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
// Zeros in the lanes from `channels` on of so many pixels.
void clear_lanes(float* y, int64_t channels, int64_t pixels);

inline constexpr int64_t kMaxPatch = 50 << 10;  // floats: 49 pixels of 1024 channels are 49 << 10
inline constexpr int64_t kMaxTaps = 2048;
inline constexpr int64_t kMaxPatchStride = 64;

// Whether windows of such a kernel fit a patch of so many planes.
Verdict fits_patch(const NodeFacts& facts, int64_t lanes, int64_t planes);
Verdict can_run_direct(const NodeFacts& facts);
Dim direct_scratch(const ScratchFacts& facts);
Status run_direct(KernelContext& ctx);

}  // namespace sdx::ops
