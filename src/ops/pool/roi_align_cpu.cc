// RoiAlign for float32: channels lie together in a copy of x, so that a sample is a few vectors.
#include "base/simd_targets.h"  // first

#include "base/stop_point.h"
#include "kernel/scratch_parts.h"
#include "kernel/simd.h"
#include "ops/elementwise.h"
#include "ops/pool/roi_align.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

// bin[c] += sum of weight * corner[c], or the greatest of bin[c] and each weight * corner[c].
void take_sample(const float* const* corners, const float* weights, bool average, bool first, float* bin,
                 size_t channels) {
  const hn::ScalableTag<float> d;
  for (size_t c = 0; c < channels; c += hn::Lanes(d)) {
    const size_t left = channels - c;
    const auto corner = [&](int i) HWY_ATTR { return load_n(d, corners[i] + c, left); };
    auto v = average || !first ? load_n(d, bin + c, left) : hn::Mul(hn::Set(d, weights[0]), corner(0));
    for (int i = 0; i < 4; ++i) {
      const auto weight = hn::Set(d, weights[i]);
      if (average) {
        v = hn::MulAdd(weight, corner(i), v);
      } else {
        const auto other = hn::Mul(weight, corner(i));
        v = hn::IfThenElse(hn::Lt(v, other), other, v);
      }
    }
    store_n(v, d, bin + c, left);
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

// to[column][row] from from[row][column].
void turn(const float* from, int64_t rows, int64_t columns, float* to) {
  constexpr int64_t kTogether = 16;
  for (int64_t first = 0; first < rows; first += kTogether) {
    const int64_t end = std::min(first + kTogether, rows);
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = first; row < end; ++row) to[column * rows + row] = from[row * columns + column];
  }
}

Status run_roi_align(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const bool average = ctx.attr_string("mode", "avg") == "avg";
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3), plane = height * width;
  const int64_t rows = y.dim(2), columns = y.dim(3), bins = rows * columns, regions = y.dim(0);
  std::vector<RoiRegion> list;
  list.reserve(static_cast<size_t>(regions));
  for (int64_t roi = 0; roi < regions; ++roi) {
    SDX_ASSIGN(const RoiRegion region, roi_region(ctx, roi));
    list.push_back(region);
  }
  if (y.count() == 0) return {};
  ScratchParts scratch(ctx);
  float* turned = scratch.take<float>(x.count()).data();
  SDX_TRY(parallel_ranges(ctx, x.dim(0), 1, [&](int64_t image, int64_t) {
    turn(x.data<float>() + image * channels * plane, channels, plane, turned + image * channels * plane);
  }));
  ScratchSlots slots = scratch.slots(static_cast<size_t>(bins * channels) * sizeof(float));
  const auto take = SDX_DISPATCH(take_sample);
  return parallel_ranges(ctx, regions, 1, [&](int64_t roi, int64_t) {
    const StopScope stops(ctx.environment().cancel);
    const ScratchSlots::Lease lease(slots);
    auto* made = reinterpret_cast<float*>(lease.memory());
    const RoiRegion& region = list[static_cast<size_t>(roi)];
    const float* image = turned + region.batch * channels * plane;
    const double count =
        std::max(1.0, static_cast<double>(region.down.samples) * static_cast<double>(region.across.samples));
    std::fill(made, made + bins * channels, 0.0f);
    for (int64_t bin = 0; bin < bins; ++bin) {
      bool first = true;
      for (int64_t i = 0; i < region.down.samples; ++i) {
        for (int64_t j = 0; j < region.across.samples; ++j) {
          stop_point(channels);
          const RoiSample sample =
              roi_sample(region.down.at(bin / columns, i), region.across.at(bin % columns, j), height, width);
          float* own = made + bin * channels;
          if (!sample.inside) {
            for (int64_t c = 0; c < channels && !average; ++c) own[c] = first || own[c] < 0 ? 0 : own[c];
            first = false;
            continue;
          }
          const float* corners[4];
          float weights[4];
          for (int k = 0; k < 4; ++k) {
            corners[k] = image + sample.corner[k] * channels;
            weights[k] = static_cast<float>(average ? sample.weight[k] / count : sample.weight[k]);
          }
          take(corners, weights, average, first, own, static_cast<size_t>(channels));
          first = false;
        }
      }
    }
    turn(made, bins, channels, y.data<float>() + roi * channels * bins);
  });
}

Dim scratch_bytes(const ScratchFacts& facts) {
  ScratchSize size(facts);
  const Dim channels = size.input(0, 1);
  const int64_t bins = facts.node.attr_int("output_height", 1) * facts.node.attr_int("output_width", 1);
  size.part(size.input_count(0), sizeof(float));
  return size.slots(size.product({channels, Dim(bins), Dim(sizeof(float))})).bytes();
}

}  // namespace

SDX_CPU_KERNELS(roi_align, {.name = "roi_align_f32",
                            .can_run = takes<DType::f32>,
                            .run = run_roi_align,
                            .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
#endif
