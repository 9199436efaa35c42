#include "ops/window_tiles.h"

#include <algorithm>
#include <cstring>

namespace sdx::ops {

WindowTiles::WindowTiles(const Windows& w) {
  const size_t axes = w.axes();
  for (size_t i = 0; i < 2; ++i) {
    const bool real = i + axes >= 2;
    const size_t axis = i + axes - 2;
    in_[i] = real ? w.in[axis] : 1;
    out_[i] = real ? w.out[axis] : 1;
    kernel_[i] = real ? w.kernel[axis] : 1;
    stride_[i] = real ? w.strides[axis] : 1;
    dilation_[i] = real ? w.dilations[axis] : 1;
    begin_[i] = real ? w.begin[axis] : 0;
  }
  if (axes > 2 || kernel_[0] > kMaxTaps || kernel_[1] > kMaxTaps || taps() > kMaxTaps) return;
  if (span(0) > kTileElements || span(1) > kTileElements || stride_[0] > kTileElements || stride_[1] > 8) return;
  constexpr int64_t kWidest = 1024;
  column_tiles_ = (out_[1] + kWidest - 1) / kWidest;
  columns_ = column_tiles_ == 0 ? 0 : (out_[1] + column_tiles_ - 1) / column_tiles_;
  phase_width_ = columns_ + (span(1) + stride_[1] - 1) / stride_[1];
  const int64_t fitting = kTileElements / pitch() - span(0);  // further input rows
  if (fitting < 0) return;
  const int64_t most = std::min(out_[0], fitting / stride_[0] + 1);
  if (most <= 0) return;
  row_tiles_ = (out_[0] + most - 1) / most;
  rows_ = (out_[0] + row_tiles_ - 1) / row_tiles_;
  row_tiles_ = (out_[0] + rows_ - 1) / rows_;
  int64_t t = 0;
  for (int64_t ky = 0; ky < kernel_[0]; ++ky) {
    for (int64_t kx = 0; kx < kernel_[1]; ++kx) {
      const int64_t across = kx * dilation_[1];
      offsets_[t++] = ky * dilation_[0] * pitch() + across % stride_[1] * phase_width_ + across / stride_[1];
    }
  }
}

WindowTiles::Tile WindowTiles::tile(int64_t index) const {
  const int64_t row = index / column_tiles_ * rows_, column = index % column_tiles_ * columns_;
  return {.row = row,
          .rows = std::min(rows_, out_[0] - row),
          .column = column,
          .columns = std::min(columns_, out_[1] - column)};
}

void WindowTiles::copy(const Tile& tile, const float* plane, float padding, float* to) const {
  const int64_t rows = (tile.rows - 1) * stride_[0] + span(0), first = tile.column * stride_[1] - begin_[1];
  std::fill_n(to + rows * pitch(), kSlack, padding);
  for (int64_t r = 0; r < rows; ++r) {
    float* row_to = to + r * pitch();
    const int64_t y = tile.row * stride_[0] - begin_[0] + r;
    if (y < 0 || y >= in_[0]) {
      std::fill_n(row_to, pitch(), padding);
      continue;
    }
    const float* row = plane + y * in_[1];
    for (int64_t phase = 0; phase < stride_[1]; ++phase) {
      // Element j is input column from + j * stride.
      const int64_t from = first + phase, stride = stride_[1];
      const int64_t begin = std::min(from >= 0 ? 0 : (-from + stride - 1) / stride, phase_width_);
      const int64_t inside = in_[1] <= from ? 0 : (in_[1] - from + stride - 1) / stride;
      const int64_t end = std::clamp(inside, begin, phase_width_);
      float* phase_to = row_to + phase * phase_width_;
      std::fill_n(phase_to, begin, padding);
      if (stride == 1) {
        if (end > begin)
          std::memcpy(phase_to + begin, row + from + begin, static_cast<size_t>(end - begin) * sizeof(float));
      } else {
        for (int64_t j = begin; j < end; ++j) phase_to[j] = row[from + j * stride];
      }
      std::fill(phase_to + end, phase_to + phase_width_, padding);
    }
  }
}

}  // namespace sdx::ops
