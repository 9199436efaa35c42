// RoiAlign, mode avg, for float32: a bin's samples are a grid, so their mean is first one of rows, then one of columns.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/pool/roi_align.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// sum[i] = weight * x[i], or more of it.
void start_row(const float* x, float weight, float* sum, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Mul(hn::Set(d, weight), load_n(d, x + i, count - i)), d, sum + i, count - i);
}
void add_row(const float* x, float weight, float* sum, size_t count) {
  const hn::ScalableTag<float> d;
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto more = hn::MulAdd(hn::Set(d, weight), load_n(d, x + i, count - i), load_n(d, sum + i, count - i));
    store_n(more, d, sum + i, count - i);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// The elements that each bin of an axis is a sum of.
struct Taps {
  struct Tap {
    int64_t at;
    float weight;
  };
  std::vector<Tap> list;
  std::vector<size_t> ends;  // of each bin's taps
  int64_t first = 0, last = -1;

  std::span<const Tap> of(int64_t bin) const {
    const size_t begin = bin == 0 ? 0 : ends[static_cast<size_t>(bin) - 1];
    return {list.data() + begin, ends[static_cast<size_t>(bin)] - begin};
  }

  Status fill(KernelContext& ctx, const RegionAxis& axis, int64_t bins, int64_t size, double scale) {
    list.clear();
    ends.clear();
    std::vector<double> weights(static_cast<size_t>(size));
    std::vector<bool> touched(static_cast<size_t>(size));
    first = size;
    last = -1;
    for (int64_t bin = 0; bin < bins; ++bin) {
      int64_t lowest = size, highest = -1;
      for (int64_t i = 0; i < axis.samples; ++i) {
        if (i % 4096 == 0) SDX_TRY(ctx.check_cancelled());
        const AxisSample sample = axis_sample(axis.at(bin, i), size);
        if (!sample.inside) continue;
        weights[static_cast<size_t>(sample.low)] += 1 - sample.part;
        weights[static_cast<size_t>(sample.high)] += sample.part;
        touched[static_cast<size_t>(sample.low)] = touched[static_cast<size_t>(sample.high)] = true;
        lowest = std::min(lowest, sample.low);
        highest = std::max(highest, sample.high);
      }
      for (int64_t at = lowest; at <= highest; ++at) {
        if (!touched[static_cast<size_t>(at)]) continue;
        list.push_back({at, static_cast<float>(weights[static_cast<size_t>(at)] * scale)});
        weights[static_cast<size_t>(at)] = 0;
        touched[static_cast<size_t>(at)] = false;
      }
      first = std::min(first, lowest);
      last = std::max(last, highest);
      ends.push_back(list.size());
    }
    return {};
  }
};

class AverageRegion {
 public:
  AverageRegion(const KernelContext& ctx, int64_t rows, int64_t columns)
      : rows_(rows), columns_(columns), height_(ctx.input(0).dim(2)), width_(ctx.input(0).dim(3)) {}

  Status prepare(KernelContext& ctx, const AlignedRegion& region) {
    SDX_TRY(down_.fill(ctx, region.down, rows_, height_, 1 / region.samples()));
    SDX_TRY(across_.fill(ctx, region.across, columns_, width_, 1));
    sums_.resize(static_cast<size_t>(width_));
    return {};
  }

  void plane(const float* x, float* y) {
    const int64_t first = across_.first, span = across_.last - first + 1;
    for (int64_t row = 0; row < rows_; ++row, y += columns_) {
      const auto taps = down_.of(row);
      if (taps.empty() || span <= 0) {
        std::fill_n(y, columns_, 0.0f);
        continue;
      }
      for (size_t i = 0; i < taps.size(); ++i)
        (i == 0 ? start_row_ : add_row_)(x + taps[i].at * width_ + first, taps[i].weight, sums_.data(),
                                         static_cast<size_t>(span));
      for (int64_t column = 0; column < columns_; ++column) {
        float sum = 0;
        for (const Taps::Tap& tap : across_.of(column)) sum += tap.weight * sums_[static_cast<size_t>(tap.at - first)];
        y[column] = sum;
      }
    }
  }

 private:
  using RowFunction = void (*)(const float*, float, float*, size_t);
  const RowFunction start_row_ = SDX_DISPATCH(start_row), add_row_ = SDX_DISPATCH(add_row);
  const int64_t rows_, columns_, height_, width_;
  Taps down_, across_;
  std::vector<float> sums_;
};

Status run_roi_align(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t channels = x.dim(1), plane = x.dim(2) * x.dim(3), rows = y.dim(2), columns = y.dim(3);
  std::vector<AlignedRegion> regions;
  for (int64_t roi = 0; roi < y.dim(0); ++roi) {
    SDX_ASSIGN(const AlignedRegion region, aligned_region(ctx, roi, rows, columns));
    regions.push_back(region);
  }
  return parallel_ranges(ctx, y.dim(0), 1, [&](int64_t roi, int64_t) {
    AverageRegion average(ctx, rows, columns);
    const AlignedRegion& region = regions[static_cast<size_t>(roi)];
    if (!average.prepare(ctx, region).ok()) return;  // cancelled: parallel_ranges says so
    for (int64_t channel = 0; channel < channels; ++channel)
      average.plane(x.data<float>() + (region.batch * channels + channel) * plane,
                    y.data<float>() + (roi * channels + channel) * rows * columns);
  });
}

Verdict takes_average(const NodeFacts& facts) {
  if (facts.attr_string("mode", "avg") != "avg") return no("only mode avg");
  return takes<DType::f32>(facts);
}

}  // namespace

SDX_CPU_KERNELS(roi_align, {.name = "roi_align_average_f32", .can_run = takes_average, .run = run_roi_align});

}  // namespace sdx::ops
#endif
