// GroupNormalization for float32, and 16-bit floats through it.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_group_normalization_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const int64_t groups = ctx.attr_int("num_groups", 1), channels = x.dim(1), each = channels / groups;
  const int64_t rows = x.dim(0) * groups, size = x.count() / rows, inner = size / each;
  const float *scale = ctx.input(1).data<float>(), *bias = ctx.input(2).data<float>();
  const RowKernels kernels = row_kernels();
  return parallel_ranges(ctx, rows, rows_a_block(size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* from = x.data<float>() + row * size;
      float* to = ctx.output(0).data<float>() + row * size;
      const auto [mean, variance] = kernels.moments(from, static_cast<size_t>(size));
      const double inverse = 1 / std::sqrt(variance + epsilon);
      for (int64_t k = 0; k < each; ++k) {
        const int64_t channel = row % groups * each + k;
        kernels.apply_scalars(from + k * inner, mean, inverse * static_cast<double>(scale[channel]), bias[channel],
                              to + k * inner, static_cast<size_t>(inner));
      }
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(group_normalization,
                {.name = "group_normalization_f32", .can_run = takes<DType::f32>, .run = run_group_normalization_f32},
                {.name = "group_normalization_half",
                 .can_run = takes_half_and_floats,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_group_normalization_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
