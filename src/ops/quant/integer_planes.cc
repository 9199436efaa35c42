#include "ops/quant/integer_planes.h"

#include <algorithm>
#include <cstring>

#include "ops/quant/integer_gemm.h"

namespace sdx::ops {
namespace {

// to[i] = from[i * step]
void copy_strided(const uint8_t* from, int64_t step, int64_t count, CopyEverySecond every_second, uint8_t* to) {
  if (step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count));
  } else if (step == 2) {
    every_second(from, to, static_cast<size_t>(count));
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * step];
  }
}

// Numbers of the windows, from the first on, whose one tap lies in the input.
struct Inside {
  int64_t first, count;
};
Inside inside(int64_t windows, int64_t stride, int64_t pad, int64_t size) {
  const int64_t first = std::min(windows, (pad + stride - 1) / stride);
  const int64_t end = std::clamp<int64_t>((size + pad + stride - 1) / stride, first, windows);
  return {first, end - first};
}

}  // namespace

IntegerPlane::IntegerPlane(const ConvolutionShape& shape) : PlaneShape(shape) {
  if (taps() == 1) {
    phase = pixels();
    return;
  }
  height = std::max(in_height + top, (out_height - 1) * stride_y + (kernel_height - 1) * step_y + 1);
  const int64_t width = std::max(in_width + left, (out_width - 1) * stride_x + (kernel_width - 1) * step_x + 1);
  phase = (width + stride_x - 1) / stride_x;
}

void IntegerPlane::pad(const uint8_t* from, int32_t zero, Columns columns, CopyEverySecond every_second,
                       uint8_t* to) const {
  std::memset(to, zero, static_cast<size_t>(size()));
  for (int64_t y = 0; y < in_height; ++y) {
    uint8_t* line = to + (y + top) * row();
    const uint8_t* in = from + y * in_width;
    if (stride_x == 1 || columns == Columns::in_line) {
      std::memcpy(line + left, in, static_cast<size_t>(in_width));
      continue;
    }
    for (int64_t p = 0; p < stride_x; ++p) {
      const int64_t first = (p - left % stride_x + stride_x) % stride_x;
      if (first >= in_width) continue;
      copy_strided(in + first, stride_x, (in_width - first + stride_x - 1) / stride_x, every_second,
                   line + p * phase + (first + left) / stride_x);
    }
  }
}

void IntegerPlane::sample(const uint8_t* from, int32_t zero, CopyEverySecond every_second, uint8_t* to) const {
  const Inside rows = inside(out_height, stride_y, top, in_height);
  const Inside columns = inside(out_width, stride_x, left, in_width);
  if (rows.count < out_height || columns.count < out_width) std::memset(to, zero, static_cast<size_t>(size()));
  if (columns.count == 0) return;
  for (int64_t y = rows.first; y < rows.first + rows.count; ++y)
    copy_strided(from + (y * stride_y - top) * in_width + columns.first * stride_x - left, stride_x, columns.count,
                 every_second, to + y * out_width + columns.first);
}

PixelRuns IntegerPlane::pixel_runs(int64_t pixel) const {
  PixelRuns runs;
  if (taps() == 1) {
    runs.count = 1;
    runs.offsets[0] = pixel;
    return runs;
  }
  for (int64_t j = 0; j < kPanelColumns && pixel + j < pixels();) {
    const int64_t y = (pixel + j) / out_width, x = (pixel + j) % out_width;
    runs.offsets[runs.count] = y * stride_y * row() + x - j;
    std::memset(runs.masks[runs.count++] + j, 0xff, static_cast<size_t>(kPanelColumns - j));
    j += out_width - x;
  }
  return runs;
}

std::span<const int64_t> IntegerPlane::tap_offsets(std::span<int64_t> offsets) const {
  size_t at = 0;
  for (int64_t ky = 0; ky < kernel_height; ++ky)
    for (int64_t kx = 0; kx < kernel_width; ++kx) {
      const int64_t x = kx * step_x;
      offsets[at++] = ky * step_y * row() + x % stride_x * phase + x / stride_x;
    }
  return offsets.first(at);
}

}  // namespace sdx::ops
