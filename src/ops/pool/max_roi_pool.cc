// MaxRoiPool: each region (batch, x1, y1, x2, y2, corners included, scaled and rounded) is cut into pooled_shape bins,
// whose edges are rounded outwards; a bin is its greatest element, 0 when it is empty.
#include "ops/pool/max_roi_pool.h"

#include <algorithm>
#include <cmath>

#include "base/element.h"
#include "ops/pool/regions.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_max_roi_pool(InferContext& ctx) {
  const auto pooled = ctx.attr_ints("pooled_shape");
  if (pooled.size() != 2) return ctx.fail("pooled_shape has {} entries; 2 are wanted", pooled.size());
  for (const int64_t v : pooled)
    if (v < 1) return ctx.fail("pooled_shape holds {}; at least 1 is wanted", v);
  SDX_ASSIGN(Fact fact, infer_regions(ctx, 5, pooled[0], pooled[1]));
  return Facts(std::move(fact));
}

Status max_roi_pool_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3), rows = y.dim(2), columns = y.dim(3);
  for (int64_t roi = 0; roi < y.dim(0); ++roi) {
    SDX_TRY(ctx.check_cancelled());
    SDX_ASSIGN(const RoiBins region, roi_bins(ctx, roi));
    for (int64_t channel = 0; channel < channels; ++channel) {
      const int64_t plane = (region.batch * channels + channel) * height * width;
      for (int64_t bin = 0; bin < rows * columns; ++bin) {
        const RoiBins::Range down = region.down(bin / columns, rows, height);
        const RoiBins::Range across = region.across(bin % columns, columns, width);
        const bool empty = down.end <= down.begin || across.end <= across.begin;
        double best = empty ? 0 : -std::numeric_limits<double>::infinity();
        for (int64_t i = down.begin; i < down.end; ++i) {
          for (int64_t j = across.begin; j < across.end; ++j) {
            const double v = load_double(x, plane + i * width + j);
            if (v > best || std::isnan(v)) best = v;
          }
        }
        store_double(y, (roi * channels + channel) * rows * columns + bin, best);
      }
    }
  }
  return {};
}

}  // namespace

// Inside [0, size).
RoiBins::Range RoiBins::range(double low, double high, int64_t i, int64_t bins, int64_t size) const {
  const double first = std::round(low * scale), last = std::round(high * scale);
  const double step = std::max(last - first + 1, 1.0) / static_cast<double>(bins);
  const auto inside = [&](double v) { return double_to_i64(std::clamp(v + first, 0.0, static_cast<double>(size))); };
  return {inside(std::floor(static_cast<double>(i) * step)), inside(std::ceil(static_cast<double>(i + 1) * step))};
}

Result<RoiBins> roi_bins(const KernelContext& ctx, int64_t roi) {
  double field[5];
  for (int64_t i = 0; i < 5; ++i) {
    field[i] = load_double(ctx.input(1), roi * 5 + i);
    if (!std::isfinite(field[i])) return invalid_argument("rois[{}] is not finite", roi);
  }
  const int64_t batch = double_to_i64(field[0]), images = ctx.input(0).dim(0);
  if (batch < 0 || batch >= images)
    return invalid_argument("rois[{}] names batch {}, outside [0, {})", roi, batch, images);
  return RoiBins{.batch = batch,
                 .left = field[1],
                 .top = field[2],
                 .right = field[3],
                 .bottom = field[4],
                 .scale = static_cast<double>(ctx.attr_float("spatial_scale", 1))};
}

SDX_OP(max_roi_pool) = {
    .name = "MaxRoiPool",
    .since = 22,
    .infer = infer_max_roi_pool,
    .reference = max_roi_pool_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
