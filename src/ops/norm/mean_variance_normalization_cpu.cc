// MeanVarianceNormalization for float32, and 16-bit floats through it, where the innermost dimension is normalised.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

// A part is rows of one size: its moments are put together from theirs.
Status run_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  SDX_ASSIGN(const auto reduced, reduced_dimensions(mean_variance_axes(ctx.attributes()), x.rank(), false));
  const ReductionPlan plan(x.shape(), reduced);
  const auto levels = plan.reduced();
  if (levels.empty() || levels.back().stride != 1) return mean_variance_normalization_reference(ctx);
  const int64_t size = levels.back().size, rows = plan.size() / size;
  const RowKernels kernels = row_kernels();
  return parallel_ranges(ctx, plan.outputs(), rows_a_block(plan.size()), [&](int64_t begin, int64_t end) {
    std::vector<RowMoments> moments(static_cast<size_t>(rows));
    for (int64_t part = begin; part < end; ++part) {
      const int64_t first = plan.first_of(part);
      double mean = 0, variance = 0;
      for (int64_t row = 0; row < rows; ++row) {
        RowMoments& own = moments[static_cast<size_t>(row)];
        own = kernels.moments(x.data<float>() + first + plan.element(row * size), static_cast<size_t>(size));
        mean += own.mean / static_cast<double>(rows);
      }
      for (const RowMoments& own : moments)
        variance += (own.variance + (own.mean - mean) * (own.mean - mean)) / static_cast<double>(rows);
      const double factor = 1 / (std::sqrt(variance) + 1e-9);
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t at = first + plan.element(row * size);
        kernels.apply_scalars(x.data<float>() + at, mean, factor, 0, ctx.output(0).data<float>() + at,
                              static_cast<size_t>(size));
      }
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(mean_variance_normalization,
                {.name = "mean_variance_normalization_f32", .can_run = takes<DType::f32>, .run = run_f32},
                {.name = "mean_variance_normalization_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
