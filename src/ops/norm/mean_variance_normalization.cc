// MeanVarianceNormalization: y = (x - mean) / (sqrt(variance) + 1e-9) with the moments over the axes, by default 0, 2
// and 3. The small term is that of the standard's formula.
#include <cmath>

#include "ops/norm/norm.h"
#include "ops/shape/axes.h"

namespace sdx::ops {
namespace {

constexpr int64_t kDefaultAxes[] = {0, 2, 3};

}  // namespace

std::span<const int64_t> mean_variance_axes(const Attributes& attributes) {
  return attributes.has("axes") ? attributes.get_ints("axes") : std::span<const int64_t>(kDefaultAxes);
}

namespace {

Result<Facts> infer_mean_variance_normalization(InferContext& ctx) {
  if (ctx.has_rank(0)) SDX_TRY(unique_axes(mean_variance_axes(ctx.attributes()), ctx.rank(0), "axes").status());
  return infer_same_as_first(ctx);
}

}  // namespace

Status mean_variance_normalization_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  SDX_ASSIGN(const auto reduced, reduced_dimensions(mean_variance_axes(ctx.attributes()), x.rank(), false));
  const ReductionPlan plan(x.shape(), reduced);
  for (int64_t part = 0; part < plan.outputs(); ++part) {
    const Moments m = moments(x, plan, part);
    const double deviation = std::sqrt(m.variance) + 1e-9;
    plan.each(part, [&](int64_t at) { store_double(ctx.output(0), at, (load_double(x, at) - m.mean) / deviation); });
  }
  return {};
}

SDX_OP(mean_variance_normalization) = {
    .name = "MeanVarianceNormalization",
    .since = 13,
    .infer = infer_mean_variance_normalization,
    .reference = mean_variance_normalization_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
