// Depthwise convolutions over one plane of two spatial axes: a padded piece of the input is copied next to the
// processor, split by stride, so that each kernel element reads whole vectors; then sums over kernel elements.
#pragma once

#include "ops/windows.h"

namespace sdx::ops {

// How output planes are cut into tiles. One spatial axis counts as a single row.
class WindowTiles {
 public:
  static constexpr int64_t kTileElements = 16384;
  static constexpr int64_t kMaxTaps = 256;
  static constexpr int64_t kSlack = 64;  // elements that vectors may read beyond a row

  explicit WindowTiles(const Windows& windows);

  bool fits() const { return rows_ > 0; }
  int64_t per_plane() const { return row_tiles_ * column_tiles_; }
  int64_t out_count() const { return out_[0] * out_[1]; }
  int64_t in_count() const { return in_[0] * in_[1]; }
  int64_t taps() const { return kernel_[0] * kernel_[1]; }

  struct Tile {
    int64_t row, rows, column, columns;  // of the output
  };
  Tile tile(int64_t index) const;
  // The tile's input, `padding` where there is none. `to`: kTileElements + kSlack.
  void copy(const Tile& tile, const float* plane, float padding, float* to) const;
  // Where kernel element t of output row r, column 0 lies in the copy: r * row_step() + offset(t).
  int64_t row_step() const { return stride_[0] * pitch(); }
  const int64_t* offsets() const { return offsets_; }
  int64_t out_columns() const { return out_[1]; }

 private:
  int64_t pitch() const { return stride_[1] * phase_width_; }
  int64_t span(int axis) const { return (kernel_[axis] - 1) * dilation_[axis] + 1; }

  int64_t in_[2], out_[2], kernel_[2], stride_[2], dilation_[2], begin_[2];
  int64_t rows_ = 0, columns_ = 0, row_tiles_ = 0, column_tiles_ = 0;  // of a tile; tiles of a plane
  int64_t phase_width_ = 0;
  int64_t offsets_[kMaxTaps];
};

// y[r, j] = clip(start + sum over t of weights[t] * copy[...])
struct WindowRow {
  const float* copy = nullptr;
  const int64_t* offsets = nullptr;
  int64_t taps = 0;
  float* y = nullptr;
  int64_t count = 0;
};
struct WindowKernels {
  void (*weighted_sum)(const WindowRow& row, const float* weights, float start, float low, float high);
};
const WindowKernels& window_kernels();  // at the SIMD level in force

}  // namespace sdx::ops
