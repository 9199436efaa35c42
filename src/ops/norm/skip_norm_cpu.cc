// SkipLayerNormalization and SkipSimplifiedLayerNormalization for float32.
#include <cmath>

#include "ops/norm/row_kernels.h"
#include "ops/norm/skip_norm.h"

namespace sdx::ops {

Status run_skip_norm_f32(KernelContext& ctx, SkipNorm kind) {
  const Tensor &x = ctx.input(0), &skip = ctx.input(1);
  if (x.count() == 0) return {};
  const int64_t size = x.shape().back(), rows = x.count() / size;
  // skip repeats as a whole where it only lacks leading dimensions, or has 1 there.
  const int64_t skip_rows = skip.count() / size;
  int64_t trailing = 1;
  for (int i = 1; i <= skip.rank() && trailing < skip.count(); ++i) {
    if (skip.dim(skip.rank() - i) != x.dim(x.rank() - i)) return reference_skip_norm(ctx, kind);
    trailing *= skip.dim(skip.rank() - i);
  }
  if (skip_rows == 0 || trailing % size != 0) return reference_skip_norm(ctx, kind);
  const auto optional = [&](size_t i) { return ctx.has_input(i) ? ctx.input(i).data<float>() : nullptr; };
  const float *gamma = ctx.input(2).data<float>(), *beta = optional(skip_norm_beta(kind));
  const float* bias = optional(skip_norm_bias(kind));
  const double epsilon = ctx.attr_float("epsilon", kSkipNormEpsilon);
  const RowKernels kernels = row_kernels();
  const auto count = static_cast<size_t>(size);
  float* sums = ctx.wants_output(3) ? ctx.output(3).data<float>() : ctx.output(0).data<float>();
  return parallel_ranges(ctx, rows, rows_a_block(size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* sum = sums + row * size;
      kernels.add(x.data<float>() + row * size, skip.data<float>() + row % skip_rows * size, bias, sum, count);
      RowMoments moments{0, 0};
      if (kind == SkipNorm::layer || ctx.wants_output(1)) moments = kernels.moments(sum, count);
      const double spread = kind == SkipNorm::layer ? moments.variance : kernels.mean_square(sum, count);
      const double inverse = 1 / std::sqrt(spread + epsilon), center = kind == SkipNorm::layer ? moments.mean : 0;
      if (ctx.wants_output(1)) store_double(ctx.output(1), row, moments.mean);
      if (ctx.wants_output(2)) store_double(ctx.output(2), row, inverse);
      kernels.apply(sum, center, inverse, gamma, beta, ctx.output(0).data<float>() + row * size, count);
    }
  });
}

}  // namespace sdx::ops
