// RMSNormalization and SimplifiedLayerNormalization for float32.
#include <cmath>

#include "ops/norm/rms_norm.h"
#include "ops/norm/row_kernels.h"

namespace sdx::ops {

Status run_rms_norm_f32(KernelContext& ctx, size_t inverse) {
  const Tensor& x = ctx.input(0);
  const RowView view(x.shape(), ctx.attr_int("axis", -1));
  if (!is_whole_row(ctx.input(1), x.shape(), view)) return reference_rms_norm(ctx, inverse);
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  const RowKernels kernels = row_kernels();
  const float* scale = ctx.input(1).data<float>();
  const float* from = x.data<float>();
  float* to = ctx.output(0).data<float>();
  const auto size = static_cast<size_t>(view.size);
  const bool wants_inverse = inverse != 0 && ctx.wants_output(inverse);
  return parallel_ranges(ctx, view.rows, rows_a_block(view.size), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const double factor = 1 / std::sqrt(kernels.mean_square(from + row * view.size, size) + epsilon);
      if (wants_inverse) store_double(ctx.output(inverse), row, factor);
      kernels.apply(from + row * view.size, 0, factor, scale, nullptr, to + row * view.size, size);
    }
  });
}

}  // namespace sdx::ops
