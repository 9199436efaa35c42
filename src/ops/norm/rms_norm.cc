#include "ops/norm/rms_norm.h"

#include <cmath>

namespace sdx::ops {

Status reference_rms_norm(KernelContext& ctx, size_t inverse) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const RowView view(x.shape(), ctx.attr_int("axis", -1));
  const double epsilon = ctx.attr_float("epsilon", 1e-5F);
  BroadcastElements scale(&ctx.input(1), x.shape(), 1);
  for (int64_t row = 0; row < view.rows; ++row) {
    double sum = 0;
    for (int64_t i = row * view.size; i < (row + 1) * view.size; ++i) sum += load_double(x, i) * load_double(x, i);
    const double factor = 1 / std::sqrt(sum / static_cast<double>(view.size) + epsilon);
    if (inverse != 0 && ctx.wants_output(inverse)) store_double(ctx.output(inverse), row, factor);
    for (int64_t i = row * view.size; i < (row + 1) * view.size; ++i)
      store_double(y, i, load_double(x, i) * factor * scale.next());
  }
  return {};
}

}  // namespace sdx::ops
