#include "ops/conv/few_pixels.h"

#include <algorithm>
#include <cstring>

#include "kernel/scratch_parts.h"
#include "ops/conv/im2col.h"

namespace sdx::ops {
namespace {

constexpr int64_t kMostPixels = 16, kLeastDepth = 32;
constexpr int64_t kMostColumns = int64_t{1} << 16;  // floats: they stay in the second cache
constexpr int64_t kGrainOperations = 400'000;

// to[i] = row[first + i * dilation], zero outside the row.
void copy_taps(const float* row, int64_t size, int64_t first, int64_t dilation, int64_t count, float* to) {
  if (dilation == 1 && first >= 0 && first + count <= size) {
    if (count >= 16) {
      std::memcpy(to, row + first, static_cast<size_t>(count) * sizeof(float));
      return;
    }
    for (int64_t i = 0; i < count; ++i) to[i] = row[first + i];
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = first + i * dilation;
    to[i] = at >= 0 && at < size ? row[at] : 0.0f;
  }
}

// The columns of an image's pixels, each [channel][kernel element].
void fill_columns(const Im2col& g, const float* x, int64_t channels, float* to) {
  const int64_t plane = g.in[1] * g.in[2], width = g.kernel[2];
  for (int64_t oz = 0; oz < g.out[0]; ++oz)
    for (int64_t oy = 0; oy < g.out[1]; ++oy)
      for (int64_t ox = 0; ox < g.out[2]; ++ox) {
        const int64_t first = ox * g.stride[2] - g.begin[2];
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t kz = 0; kz < g.kernel[0]; ++kz)
            for (int64_t ky = 0; ky < g.kernel[1]; ++ky, to += width) {
              const int64_t z = oz * g.stride[0] - g.begin[0] + kz * g.dilation[0];
              const int64_t y = oy * g.stride[1] - g.begin[1] + ky * g.dilation[1];
              if (z < 0 || z >= g.in[0] || y < 0 || y >= g.in[1]) {
                std::fill_n(to, width, 0.0f);
              } else {
                copy_taps(x + (c * g.in[0] + z) * plane + y * g.in[2], g.in[2], first, g.dilation[2], width, to);
              }
            }
      }
}

}  // namespace

int64_t most_pixels(int64_t depth) { return depth < kLeastDepth ? 0 : std::min(kMostPixels, kMostColumns / depth); }

bool has_few_pixels(const ConvSizes& s) {
  return s.groups == 1 && s.out_count() <= most_pixels(s.channels * s.kernel_count());
}

Status run_few_pixels(KernelContext& ctx, const ConvSizes& s, const float* weights, const ConvEnd& end) {
  constexpr int64_t kFilters = 4;
  const int64_t depth = s.channels * s.kernel_count(), pixels = s.out_count();
  const Im2col sizes = make_im2col(s.windows);
  const DotPixels multiply = dot_pixels_kernel();
  const float* bias = ctx.has_input(2) ? ctx.input(2).data<float>() : nullptr;
  const int64_t together = most_pixels(depth) / pixels;  // images
  float* columns = ScratchParts(ctx).take<float>(std::min(together, s.batch) * pixels * depth).data();
  for (int64_t first = 0; first < s.batch; first += together) {
    const int64_t images = std::min(together, s.batch - first);
    const float* x = ctx.input(0).data<float>() + first * s.channels * s.in_count();
    float* y = ctx.output(0).data<float>() + first * s.outputs * pixels;
    for (int64_t i = 0; i < images; ++i)
      fill_columns(sizes, x + i * s.channels * s.in_count(), s.channels, columns + i * pixels * depth);
    const int64_t grain = std::max<int64_t>(1, kGrainOperations / (2 * depth * images * pixels * kFilters));
    const int64_t parts = (s.outputs + kFilters - 1) / kFilters;
    SDX_TRY(parallel_ranges(ctx, parts, grain, [&](int64_t begin, int64_t stop) {
      const int64_t filter = begin * kFilters, filters = std::min(stop * kFilters, s.outputs) - filter;
      for (int64_t i = 0; i < images; ++i)
        multiply({.weights = weights + filter * depth,
                  .columns = columns + i * pixels * depth,
                  .bias = bias == nullptr ? nullptr : bias + filter,
                  .filters = filters,
                  .pixels = pixels,
                  .depth = depth,
                  .y = y + (i * s.outputs + filter) * pixels,
                  .y_row = pixels,
                  .low = end.low,
                  .high = end.high});
    }));
  }
  return {};
}

}  // namespace sdx::ops
