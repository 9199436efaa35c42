// Panels of the im2col matrix, row by row from runs of the input.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/conv/im2col.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::Im2col;

constexpr int64_t kWidth = 2 * HWY_MAX_BYTES / static_cast<int64_t>(sizeof(float));

// Output positions of one output row.
struct Run {
  int64_t at, count;  // in the panel
  int64_t first[3];   // input position of the first under kernel element 0
};

int64_t find_runs(const Im2col& s, int64_t column, int64_t columns, Run* runs) {
  int64_t total = 0, at = 0;
  int64_t x = column % s.out[2], y = column / s.out[2] % s.out[1], z = column / s.out[2] / s.out[1];
  while (at < columns) {
    Run& run = runs[total++];
    run.at = at;
    run.count = HWY_MIN(columns - at, s.out[2] - x);
    run.first[0] = z * s.stride[0] - s.begin[0];
    run.first[1] = y * s.stride[1] - s.begin[1];
    run.first[2] = x * s.stride[2] - s.begin[2];
    at += run.count;
    x = 0;
    if (++y == s.out[1]) {
      y = 0;
      ++z;
    }
  }
  return total;
}

// to[j] = row[first + j * stride] where that lies in [0, size); the rest stays.
HWY_INLINE void copy_run(const float* row, int64_t first, int64_t size, int64_t stride, int64_t count, float* to) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (stride == 1) {
    const int64_t begin = HWY_MAX(int64_t{0}, -first), end = HWY_MIN(count, size - first);
    for (int64_t j = begin; j < end; j += lanes) {
      const auto left = static_cast<size_t>(end - j);
      store_n(load_n(d, row + first + j, left), d, to + j, left);
    }
    return;
  }
  const int64_t begin = first >= 0 ? 0 : (-first + stride - 1) / stride;
  const int64_t end = size <= first ? 0 : HWY_MIN(count, (size - first + stride - 1) / stride);
  for (int64_t j = begin; j < end; ++j) to[j] = row[first + j * stride];
}

void fill(const Im2col& s, const float* x, int64_t p, int64_t count, int64_t column, int64_t columns, float* panel) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  Run runs[kWidth];
  const int64_t run_count = find_runs(s, column, columns, runs);
  const int64_t taps = s.kernel[0] * s.kernel[1] * s.kernel[2], plane = s.in[0] * s.in[1] * s.in[2];
  int64_t kx = p % s.kernel[2], ky = p / s.kernel[2] % s.kernel[1], kz = p / s.kernel[2] / s.kernel[1] % s.kernel[0];
  const float* channel = x + p / taps * plane;
  for (int64_t row = 0; row < count; ++row, panel += kWidth) {
    for (int64_t j = 0; j < kWidth; j += lanes) hn::StoreU(hn::Zero(d), d, panel + j);
    for (int64_t r = 0; r < run_count; ++r) {
      const Run& run = runs[r];
      const int64_t z = run.first[0] + kz * s.dilation[0], y = run.first[1] + ky * s.dilation[1];
      if (z < 0 || z >= s.in[0] || y < 0 || y >= s.in[1]) continue;
      copy_run(channel + (z * s.in[1] + y) * s.in[2], run.first[2] + kx * s.dilation[2], s.in[2], s.stride[2],
               run.count, panel + run.at);
    }
    if (++kx < s.kernel[2]) continue;
    kx = 0;
    if (++ky < s.kernel[1]) continue;
    ky = 0;
    if (++kz < s.kernel[0]) continue;
    kz = 0;
    channel += plane;
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

Im2col make_im2col(const Windows& w) {
  Im2col s;
  const size_t axes = w.axes();
  for (size_t i = 0; i < 3; ++i) {
    const bool real = i + axes >= 3;
    const size_t axis = i + axes - 3;
    s.in[i] = real ? w.in[axis] : 1;
    s.out[i] = real ? w.out[axis] : 1;
    s.kernel[i] = real ? w.kernel[axis] : 1;
    s.stride[i] = real ? w.strides[axis] : 1;
    s.dilation[i] = real ? w.dilations[axis] : 1;
    s.begin[i] = real ? w.begin[axis] : 0;
  }
  return s;
}

FillIm2col fill_im2col() { return SDX_DISPATCH(fill); }

}  // namespace sdx::ops
#endif
