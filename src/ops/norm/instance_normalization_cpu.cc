// InstanceNormalization for float32, and 16-bit floats through it.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/norm.h"
#include "ops/norm/row_kernels.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_instance_normalization_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const int64_t channels = x.dim(1), rows = x.dim(0) * channels, size = x.count() / rows;
  const float *scale = ctx.input(1).data<float>(), *bias = ctx.input(2).data<float>();
  const RowKernels kernels = row_kernels();
  return parallel_ranges(ctx, rows, rows_a_block(size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* from = x.data<float>() + row * size;
      const auto [mean, variance] = kernels.moments(from, static_cast<size_t>(size));
      const double factor = static_cast<double>(scale[row % channels]) / std::sqrt(variance + epsilon);
      kernels.apply_scalars(from, mean, factor, bias[row % channels], ctx.output(0).data<float>() + row * size,
                            static_cast<size_t>(size));
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(instance_normalization,
                {.name = "instance_normalization_f32",
                 .can_run = takes<DType::f32>,
                 .run = run_instance_normalization_f32},
                {.name = "instance_normalization_half",
                 .can_run = takes_half_and_floats,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_instance_normalization_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
