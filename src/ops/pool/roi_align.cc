// RoiAlign: each region of x is cut into output_height x output_width bins; a bin is the mean (mode avg) of bilinear
// samples on a grid inside it, or (mode max) the greatest of the samples' four weighted corners: so does onnx.reference
// and so say its stored results, though the text speaks of interpolated values. Samples more than one element outside
// are 0; nearer ones take the border's value.
#include <algorithm>
#include <cmath>

#include "base/element.h"
#include "ops/op.h"
#include "ops/pool/regions.h"
#include "ops/pool/roi_align.h"

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

Status roi_align_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const bool average = ctx.attr_string("mode", "avg") == "avg";
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3), rows = y.dim(2), columns = y.dim(3);
  for (int64_t roi = 0; roi < y.dim(0); ++roi) {
    SDX_ASSIGN(const RoiRegion region, roi_region(ctx, roi));
    const RoiAxis &down = region.down, &across = region.across;
    const double count = std::max(1.0, static_cast<double>(down.samples) * static_cast<double>(across.samples));
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t plane = (region.batch * channels + channel) * height * width;
      for (int64_t bin = 0; bin < rows * columns; ++bin) {
        const int64_t row = bin / columns;
        double result = 0;
        bool first = true;
        for (int64_t i = 0; i < down.samples; ++i) {
          SDX_TRY(ctx.check_cancelled());
          for (int64_t j = 0; j < across.samples; ++j) {
            const RoiSample sample = roi_sample(down.at(row, i), across.at(bin % columns, j), height, width);
            for (int corner = 0; corner < 4; ++corner) {
              const double v =
                  sample.inside ? sample.weight[corner] * load_double(x, plane + sample.corner[corner]) : 0;
              result = average ? result + v : first ? v : std::max(result, v);
              first = false;
            }
          }
        }
        store_double(y, (roi * channels + channel) * rows * columns + bin, average ? result / count : result);
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

RoiSample roi_sample(double y, double x, int64_t height, int64_t width) {
  RoiSample sample;
  if (!(y >= -1 && y <= static_cast<double>(height) && x >= -1 && x <= static_cast<double>(width))) return sample;
  y = std::clamp(y, 0.0, static_cast<double>(height - 1));
  x = std::clamp(x, 0.0, static_cast<double>(width - 1));
  const auto top = static_cast<int64_t>(y), left = static_cast<int64_t>(x);
  const int64_t bottom = std::min(top + 1, height - 1), right = std::min(left + 1, width - 1);
  const double down = y - static_cast<double>(top), across = x - static_cast<double>(left);
  return {true,
          {top * width + left, top * width + right, bottom * width + left, bottom * width + right},
          {(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across}};
}

RoiAxis roi_axis(const KernelContext& ctx, double low, double high, int64_t bins) {
  const bool half_pixel = ctx.attr_string("coordinate_transformation_mode", "half_pixel") == "half_pixel";
  const auto scale = static_cast<double>(ctx.attr_float("spatial_scale", 1));
  const double offset = half_pixel ? 0.5 : 0, start = low * scale - offset;
  double size = high * scale - offset - start;
  if (!half_pixel) size = std::max(size, 1.0);
  const double bin = size / static_cast<double>(bins);
  const int64_t ratio = ctx.attr_int("sampling_ratio", 0);
  return {start, bin, ratio > 0 ? ratio : double_to_i64(std::ceil(bin))};
}

Result<RoiRegion> roi_region(const KernelContext& ctx, int64_t roi) {
  const Tensor &x = ctx.input(0), &rois = ctx.input(1);
  RoiRegion region;
  region.batch = load_i64(ctx.input(2), roi);
  if (region.batch < 0 || region.batch >= x.dim(0))
    return invalid_argument("batch_indices[{}] is {}, outside [0, {})", roi, region.batch, x.dim(0));
  double edges[4];
  for (int64_t i = 0; i < 4; ++i) {
    edges[i] = load_double(rois, roi * 4 + i);
    if (!std::isfinite(edges[i])) return invalid_argument("rois[{}] is not finite", roi);
  }
  if (x.dim(2) == 0 || x.dim(3) == 0) return invalid_argument("x has no elements to sample");
  region.down = roi_axis(ctx, edges[1], edges[3], ctx.attr_int("output_height", 1));
  region.across = roi_axis(ctx, edges[0], edges[2], ctx.attr_int("output_width", 1));
  return region;
}

double RoiAxis::at(int64_t index, int64_t sample) const {
  return start +
         bin * (static_cast<double>(index) + (static_cast<double>(sample) + 0.5) / static_cast<double>(samples));
}

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
