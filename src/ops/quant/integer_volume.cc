#include "ops/quant/integer_volume.h"

#include <cstring>

namespace sdx::ops {

ConvolutionShape as_planes(const ConvolutionShape& volume) {
  const auto rest = [](const Shape& shape) { return Shape(std::span(shape).subspan(1)); };
  return {.batch = volume.batch * volume.out[0],
          .channels = volume.channels * volume.kernel[0],
          .group = volume.group,
          .filters = volume.filters,
          .in = rest(volume.in),
          .out = rest(volume.out),
          .kernel = rest(volume.kernel),
          .strides = rest(volume.strides),
          .dilations = rest(volume.dilations),
          .pads = rest(volume.pads)};
}

Status gather_depths(KernelContext& ctx, const ConvolutionShape& volume, const Tensor& x, int32_t x_zero, uint8_t* to) {
  const auto* from = x.data<uint8_t>();
  const int64_t plane = volume.in[1] * volume.in[2], depths = volume.kernel[0], channels = volume.channels;
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, plane));
  return parallel_ranges(ctx, volume.batch * volume.out[0] * channels * depths, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t k = i % depths, channel = i / depths % channels, image = i / (depths * channels);
      const int64_t n = image / volume.out[0], z = image % volume.out[0];
      const int64_t depth = z * volume.strides[0] - volume.pads[0] + k * volume.dilations[0];
      if (depth < 0 || depth >= volume.in[0]) {
        std::memset(to + i * plane, x_zero, static_cast<size_t>(plane));
      } else {
        std::memcpy(to + i * plane, from + ((n * channels + channel) * volume.in[0] + depth) * plane,
                    static_cast<size_t>(plane));
      }
    }
  });
}

}  // namespace sdx::ops
