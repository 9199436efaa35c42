// The pixels of a convolution over innermost channels, as pointers: to the input, to a pixel of zero points where there
// is none, to a copy where whole fours cannot be read.
#pragma once

#include "ops/quant/convolution_shape.h"
#include "ops/quant/last_filters.h"

namespace sdx::ops {

class LastPixels {
 public:
  LastPixels(const ConvolutionShape& shape, const LastFilters& filters);

  int64_t pixels() const { return plane_.pixels(); }
  int64_t image_pixels() const { return plane_.in_pixels(); }
  // Bytes of the pixel of zero points; of the copies for so many pixels.
  static int64_t zero_bytes(const LastFilters& filters);
  static int64_t copy_bytes(const LastFilters& filters, int64_t pixels);

  struct Source {
    const uint8_t *image, *end;  // of the image at the group's first channel; of the tensor
    const uint8_t* zeros;
    uint8_t zero;
  };
  // from[run * stride + i]: pixel first + i. With `by_pixel`, from[i * stride + run].
  enum class Order : uint8_t { by_run, by_pixel };
  void find(const Source& source, int64_t first, int64_t count, Order order, int64_t stride, uint8_t* copies,
            const uint8_t** from) const;

  // sums[i] = the sum of what `values` says of the input's pixels, and `outside` of the others, that the window of
  // pixel first + i sees.
  void sum_windows(const int32_t* values, int32_t outside, int64_t first, int64_t count, int32_t* sums) const;

 private:
  const uint8_t* edge(const Source& source, int64_t y, int64_t x, uint8_t*& copies) const;

  LastFilters filters_;
  int64_t channels_ = 0;  // of all groups
  PlaneShape plane_;
};

}  // namespace sdx::ops
