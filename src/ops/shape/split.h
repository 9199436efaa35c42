// What the contract and the kernel of Split share.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

using WriteView = Status (*)(KernelContext&, size_t, const Tensor&, const StridedView&);

// Writes every output that is wanted through `write`.
inline Status write_parts(KernelContext& ctx, WriteView write) {
  const Tensor& x = ctx.input(0);
  const auto axis = static_cast<size_t>(*normalize_axis(ctx.attr_int("axis", 0), x.rank()));
  StridedView view = dense_view(x.shape());
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    view.shape[axis] = ctx.output_shape(i)[axis];
    if (ctx.wants_output(i)) SDX_TRY(write(ctx, i, x, view));
    view.offset += view.strides[axis] * view.shape[axis];
  }
  return {};
}

}  // namespace sdx::ops
