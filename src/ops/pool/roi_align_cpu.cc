// RoiAlign, mode avg, for float32: a bin's samples are a grid, so their mean is first one of rows, then one of columns.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/pool/roi_align.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// Rows of bins: their rows of x added up into `sums`, which has room for the columns from the first tap to the last;
// then each bin's columns.
void average_plane(const ops::BinTaps& down, const ops::BinTaps& across, const float* x, int64_t x_row, float* sums,
                   float* y) {
  const hn::ScalableTag<float> d;
  const auto span = static_cast<size_t>(across.last - across.first + 1);
  const ops::BinTap *row_tap = down.list.data(), *const all_rows = row_tap, *const columns = across.list.data();
  for (const size_t row_end : down.ends) {
    for (size_t i = 0; i < span; i += hn::Lanes(d)) {
      auto sum = hn::Zero(d);
      for (const ops::BinTap* tap = row_tap; tap != all_rows + row_end; ++tap)
        sum = hn::MulAdd(hn::Set(d, tap->weight),
                         load_n(d, x + tap->at * x_row + across.first + static_cast<int64_t>(i), span - i), sum);
      store_n(sum, d, sums + i, span - i);
    }
    row_tap = all_rows + row_end;
    const float* from = sums - across.first;
    size_t k = 0;
    for (const size_t end : across.ends) {
      float sum = 0;
      for (; k < end; ++k) sum += columns[k].weight * from[columns[k].at];
      *y++ = sum;
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status fill_taps(KernelContext& ctx, const RegionAxis& axis, int64_t bins, int64_t size, double scale, BinTaps& taps) {
  std::vector<double> weights(static_cast<size_t>(size));
  std::vector<bool> touched(static_cast<size_t>(size));
  taps.first = size;
  taps.last = -1;
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
      taps.list.push_back({at, static_cast<float>(weights[static_cast<size_t>(at)] * scale)});
      weights[static_cast<size_t>(at)] = 0;
      touched[static_cast<size_t>(at)] = false;
    }
    taps.first = std::min(taps.first, lowest);
    taps.last = std::max(taps.last, highest);
    taps.ends.push_back(taps.list.size());
  }
  return {};
}

Status run_roi_align(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t channels = x.dim(1), plane = x.dim(2) * x.dim(3), rows = y.dim(2), columns = y.dim(3);
  const auto average = SDX_DISPATCH(average_plane);
  std::vector<AlignedRegion> regions;
  for (int64_t roi = 0; roi < y.dim(0); ++roi) {
    SDX_ASSIGN(const AlignedRegion region, aligned_region(ctx, roi, rows, columns));
    regions.push_back(region);
  }
  return parallel_ranges(ctx, y.dim(0), 1, [&](int64_t roi, int64_t) {
    const AlignedRegion& region = regions[static_cast<size_t>(roi)];
    BinTaps down, across;
    if (!fill_taps(ctx, region.down, rows, x.dim(2), 1 / region.samples(), down).ok() ||
        !fill_taps(ctx, region.across, columns, x.dim(3), 1, across).ok())
      return;  // cancelled: parallel_ranges says so
    float* to = y.data<float>() + roi * channels * rows * columns;
    if (across.last < across.first) {
      std::fill_n(to, channels * rows * columns, 0.0f);
      return;
    }
    std::vector<float> sums(static_cast<size_t>(across.last - across.first + 1));
    for (int64_t channel = 0; channel < channels; ++channel, to += rows * columns)
      average(down, across, x.data<float>() + (region.batch * channels + channel) * plane, x.dim(3), sums.data(), to);
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
