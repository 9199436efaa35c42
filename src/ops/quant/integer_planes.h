// Planes of an integer convolution as its products read them: padded, and where windows step, by their place in a
// stride.
#pragma once

#include <span>

#include "ops/quant/convolution_shape.h"
#include "ops/quant/integer_convolution_kernels.h"

namespace sdx::ops {

inline constexpr int64_t kPlaneSlack = 64;  // bytes that may be read around planes

// A PlaneShape, and how it lies in memory.
struct IntegerPlane : PlaneShape {
  explicit IntegerPlane(const ConvolutionShape& shape);

  // With the padding that the kernel reaches, columns sorted by their place in a stride.
  int64_t height = 1, phase = 1;
  const uint8_t* data = nullptr;  // [images, channels, height, stride_x, phase]
  int64_t row() const { return taps() == 1 ? phase : phase * stride_x; }
  int64_t size() const { return height * row(); }
  bool is_run() const {  // pixels lie in the order of the output
    return taps() == 1 && stride_x == 1 && stride_y == 1 && out_height == in_height && out_width == in_width;
  }
  bool is_sampled() const { return taps() == 1 && !is_run(); }  // in memory: the pixels of the output alone

  // One channel with its padding; `sorted`: by phases.
  enum class Columns : uint8_t { sorted, in_line };
  void pad(const uint8_t* from, int32_t zero, Columns columns, CopyEverySecond every_second, uint8_t* to) const;
  // The pixels that the one tap of each window sees.
  void sample(const uint8_t* from, int32_t zero, CopyEverySecond every_second, uint8_t* to) const;

  // The pixels of a panel; those behind the last are what stands there.
  PixelRuns pixel_runs(int64_t pixel) const;
  // Where the taps stand from a pixel on; `offsets` has room for them.
  std::span<const int64_t> tap_offsets(std::span<int64_t> offsets) const;
};

}  // namespace sdx::ops
