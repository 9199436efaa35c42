#include "ops/math/variadic.h"

#include "ops/copy_bytes.h"

namespace sdx::ops {

Result<Facts> infer_variadic(InferContext& ctx) {
  if (ctx.input_count() == 0) return ctx.fail("there is no input, at least one is wanted");
  for (size_t i = 1; i < ctx.input_count(); ++i)
    if (ctx.dtype(i) != ctx.dtype(0) && ctx.dtype(i) != DType::undefined && ctx.dtype(0) != DType::undefined)
      return ctx.fail("input {} has type {}, input 0 has {}", i, name(ctx.dtype(i)), name(ctx.dtype(0)));
  return infer_broadcast(ctx);
}

Status reference_variadic(KernelContext& ctx, const BinaryFunctions& fold) {
  Tensor& y = ctx.output(0);
  const DType type = y.dtype();
  std::vector<BroadcastWalker::Dims> shapes;
  for (size_t i = 0; i < ctx.input_count(); ++i) shapes.push_back(ctx.input(i).shape());
  BroadcastWalker walk(y.shape(), shapes);
  for (int64_t k = 0; k < y.count(); ++k, walk.next()) {
    if (is_floating(type)) {
      double value = load_double(ctx.input(0), walk.operand(0));
      for (size_t i = 1; i < shapes.size(); ++i) value = fold.f(value, load_double(ctx.input(i), walk.operand(i)));
      store_double(y, k, value);
      continue;
    }
    int64_t value = load_i64(ctx.input(0), walk.operand(0));
    for (size_t i = 1; i < shapes.size(); ++i) {
      const int64_t next = load_i64(ctx.input(i), walk.operand(i));
      value = is_unsigned_integer(type)
                  ? static_cast<int64_t>(fold.h(static_cast<uint64_t>(value), static_cast<uint64_t>(next)))
                  : fold.g(value, next);
    }
    store_i64(y, k, value);
  }
  return {};
}

// Partial results of more than two 16-bit floats would be rounded between.
Verdict takes_variadic_floats(const NodeFacts& facts) {
  if (facts.dtype(0) == DType::f32 || facts.input_count() == 2) return takes_floats(facts);
  return no("only f32 for other than two operands");
}

Status run_variadic(KernelContext& ctx, BinaryKernel<float> fold) {
  Tensor& y = ctx.output(0);
  if (ctx.input_count() == 1) return copy_bytes(ctx, ctx.input(0), y);
  SDX_TRY(run_float_binary(ctx, ctx.input(0), ctx.input(1), y, fold));
  for (size_t i = 2; i < ctx.input_count(); ++i) SDX_TRY(run_float_binary(ctx, y, ctx.input(i), y, fold));
  return {};
}

}  // namespace sdx::ops
