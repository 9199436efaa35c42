// RoiAlign: each region of x is cut into output_height x output_width bins; a bin is the mean (mode avg) of bilinear
// samples on a grid inside it, or (mode max) the greatest of the samples' four weighted corners: so does onnx.reference
// and so say its stored results, though the text speaks of interpolated values. Samples more than one element outside
// are 0; nearer ones take the border's value.
#include "ops/pool/roi_align.h"

#include <algorithm>
#include <cmath>

#include "base/element.h"
#include "ops/pool/regions.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_roi_align(InferContext& ctx) {
  const auto mode = ctx.attr_string("mode", "avg");
  if (mode != "avg" && mode != "max") return ctx.fail("mode is \"{}\"; avg or max is wanted", mode);
  const auto coordinates = ctx.attr_string("coordinate_transformation_mode", "half_pixel");
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
    return ctx.fail("coordinate_transformation_mode is \"{}\"; half_pixel or output_half_pixel is wanted", coordinates);
  const int64_t height = ctx.attr_int("output_height", 1), width = ctx.attr_int("output_width", 1);
  if (height < 1) return ctx.fail("attribute output_height is {}; at least 1 is wanted", height);
  if (width < 1) return ctx.fail("attribute output_width is {}; at least 1 is wanted", width);
  if (ctx.attr_int("sampling_ratio", 0) < 0)
    return ctx.fail("sampling_ratio is {}; at least 0 is wanted", ctx.attr_int("sampling_ratio", 0));
  SDX_ASSIGN(Fact fact, infer_regions(ctx, 4, height, width));
  if (ctx.has_rank(2)) {
    if (ctx.rank(2) != 1) return ctx.fail("batch_indices has rank {}; a vector is wanted", ctx.rank(2));
    SDX_ASSIGN((*fact.shape)[0], ctx.same((*fact.shape)[0], ctx.dim(2, 0), "regions and batch indices"));
  }
  return Facts(std::move(fact));
}

struct Sample {
  bool inside = false;
  int64_t corner[4] = {};
  double weight[4] = {};
};

Sample sample_at(double y, double x, int64_t height, int64_t width) {
  Sample sample;
  const AxisSample down = axis_sample(y, height), across = axis_sample(x, width);
  if (!down.inside || !across.inside) return sample;
  const int64_t top = down.low * width, bottom = down.high * width;
  return {true,
          {top + across.low, top + across.high, bottom + across.low, bottom + across.high},
          {(1 - down.part) * (1 - across.part), (1 - down.part) * across.part, down.part * (1 - across.part),
           down.part * across.part}};
}

RegionAxis region_axis(const KernelContext& ctx, double low, double high, int64_t bins) {
  const bool half_pixel = ctx.attr_string("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  const auto scale = static_cast<double>(ctx.attr_float("spatial_scale", 1));
  const double offset = half_pixel ? 0.5 : 0, start = low * scale - offset;
  double size = high * scale - offset - start;
  if (!half_pixel) size = std::max(size, 1.0);
  const double bin = size / static_cast<double>(bins);
  const int64_t ratio = ctx.attr_int("sampling_ratio", 0);
  return {start, bin, ratio > 0 ? ratio : double_to_i64(std::ceil(bin))};
}

}  // namespace

AxisSample axis_sample(double at, int64_t size) {
  if (!(at >= -1 && at <= static_cast<double>(size))) return {};
  at = std::clamp(at, 0.0, static_cast<double>(size - 1));
  const auto low = static_cast<int64_t>(at);
  return {true, low, std::min(low + 1, size - 1), at - static_cast<double>(low)};
}

Result<AlignedRegion> aligned_region(const KernelContext& ctx, int64_t roi, int64_t rows, int64_t columns) {
  const Tensor &x = ctx.input(0), &rois = ctx.input(1);
  AlignedRegion region{.batch = load_i64(ctx.input(2), roi), .down = {}, .across = {}};
  if (region.batch < 0 || region.batch >= x.dim(0))
    return invalid_argument("batch_indices[{}] is {}, outside [0, {})", roi, region.batch, x.dim(0));
  double edges[4];
  for (int64_t i = 0; i < 4; ++i) {
    edges[i] = load_double(rois, roi * 4 + i);
    if (!std::isfinite(edges[i])) return invalid_argument("rois[{}] is not finite", roi);
  }
  if (x.dim(2) == 0 || x.dim(3) == 0) return invalid_argument("x has no elements to sample");
  region.down = region_axis(ctx, edges[1], edges[3], rows);
  region.across = region_axis(ctx, edges[0], edges[2], columns);
  return region;
}

namespace {

Status roi_align_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const bool average = ctx.attr_string("mode", "avg") == "avg";
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3), rows = y.dim(2), columns = y.dim(3);
  for (int64_t roi = 0; roi < y.dim(0); ++roi) {
    SDX_ASSIGN(const AlignedRegion region, aligned_region(ctx, roi, rows, columns));
    const auto& [batch, down, across] = region;
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t plane = (batch * channels + channel) * height * width;
      for (int64_t bin = 0; bin < rows * columns; ++bin) {
        const int64_t row = bin / columns;
        double result = 0;
        bool first = true;
        for (int64_t i = 0; i < down.samples; ++i) {
          SDX_TRY(ctx.check_cancelled());
          const double at_y = down.at(row, i);
          for (int64_t j = 0; j < across.samples; ++j) {
            const double at_x = across.at(bin % columns, j);
            const Sample sample = sample_at(at_y, at_x, height, width);
            for (int corner = 0; corner < 4; ++corner) {
              const double v =
                  sample.inside ? sample.weight[corner] * load_double(x, plane + sample.corner[corner]) : 0;
              result = average ? result + v : first ? v : std::max(result, v);
              first = false;
            }
          }
        }
        store_double(y, (roi * channels + channel) * rows * columns + bin,
                     average ? result / region.samples() : result);
      }
    }
  }
  return {};
}

// Up to opset 10 coordinates were not shifted.
Status roi_align_10_to_16(UpgradeContext& ctx) {
  ctx.attributes().set("coordinate_transformation_mode", std::string("output_half_pixel"));
  return {};
}

}  // namespace

SDX_OP(roi_align) = {
    .name = "RoiAlign",
    .since = 22,
    .infer = infer_roi_align,
    .reference = roi_align_reference,
    .upgrades = {{10, roi_align_10_to_16}},
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
