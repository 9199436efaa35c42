// What the contract and the kernel of Transpose share.
#pragma once

#include "ops/shape/strided.h"

namespace sdx::ops {

inline StridedView transposed_view(const KernelContext& ctx) {
  const StridedView x = dense_view(ctx.input(0).shape());
  if (ctx.attributes().has("perm")) return permuted(x, ctx.attr_ints("perm"));
  Shape reversed;
  for (size_t i = x.shape.size(); i-- > 0;) reversed.push_back(static_cast<int64_t>(i));
  return permuted(x, reversed);
}

}  // namespace sdx::ops
