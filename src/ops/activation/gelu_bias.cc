#include <algorithm>

#include "ops/activation/gelu.h"
#include "ops/reference.h"

namespace sdx::ops {

Result<Facts> infer_gelu_with_bias(InferContext& ctx) {
  if (!ctx.has_input(0)) return ctx.fail("input 0 is missing");
  if (ctx.dtype(0) != DType::undefined && !is_floating(ctx.dtype(0)))
    return ctx.fail("input 0 has type {}, a floating type is wanted", name(ctx.dtype(0)));
  if (ctx.has_input(1)) {
    if (ctx.dtype(1) != ctx.dtype(0) && ctx.dtype(0) != DType::undefined && ctx.dtype(1) != DType::undefined)
      return ctx.fail("bias has type {}, x has {}", name(ctx.dtype(1)), name(ctx.dtype(0)));
    if (ctx.has_rank(1) && ctx.rank(1) != 1) return ctx.fail("bias has rank {}, it must have rank 1", ctx.rank(1));
    if (ctx.has_rank(0) && ctx.rank(0) == 0) return ctx.fail("x is a scalar, a last dimension is wanted");
    if (ctx.has_rank(0) && ctx.has_rank(1))
      SDX_TRY(ctx.same(ctx.dim(0, ctx.rank(0) - 1), ctx.dim(1, 0), "last dimension of x and length of bias").status());
  }
  return infer_same_as_first(ctx);
}

Status reference_gelu_with_bias(KernelContext& ctx, double (*f)(double)) {
  const Tensor& x = ctx.input(0);
  Tensor& y = ctx.output(0);
  const int64_t width = ctx.has_input(1) ? ctx.input(1).count() : 0;
  for (int64_t i = 0; i < x.count(); ++i)
    store_double(y, i, f(load_double(x, i) + (width > 0 ? load_double(ctx.input(1), i % width) : 0.0)));
  return {};
}

Verdict takes_f32_with_bias(const NodeFacts& facts) {
  if (!facts.has_input(1)) return takes_floats(facts);
  return takes<DType::f32>(facts);
}

Status run_gelu_with_bias(KernelContext& ctx, UnaryF32 kernel) {
  if (!ctx.has_input(1)) return run_unary(ctx, kernel);
  const Tensor &x = ctx.input(0), &bias = ctx.input(1);
  const int64_t width = bias.count();
  if (x.count() == 0) return {};
  float* y = ctx.output(0).data<float>();
  const int64_t rows_per_block = std::max<int64_t>(1, kElementwiseGrain / width);
  return parallel_ranges(ctx, x.count() / width, rows_per_block, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float *from = x.data<float>() + row * width, *add = bias.data<float>();
      float* to = y + row * width;
      for (int64_t i = 0; i < width; ++i) to[i] = from[i] + add[i];
      kernel(to, to, static_cast<size_t>(width));
    }
  });
}

}  // namespace sdx::ops
