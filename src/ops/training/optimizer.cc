#include "ops/training/optimizer.h"

#include "base/element.h"

namespace sdx::ops {

Result<Facts> infer_optimizer(InferContext& ctx, size_t states) {
  const size_t kinds = 2 + states;
  if (ctx.input_count() < 2 + kinds || (ctx.input_count() - 2) % kinds != 0)
    return ctx.fail("{} inputs: rate, step and a multiple of {} tensors are wanted", ctx.input_count(), kinds);
  for (const size_t i : {0, 1})
    if (ctx.has_rank(i) && ctx.rank(i) != 0 && !(ctx.rank(i) == 1 && ctx.dim(i, 0).is(1)))
      return ctx.fail("input {} must be a scalar", i);
  const size_t tensors = (ctx.input_count() - 2) / kinds;
  std::vector<Fact> facts((1 + states) * tensors);
  for (size_t i = 2; i < ctx.input_count(); ++i) {
    const Fact &own = ctx.input(i), &x = ctx.input(2 + (i - 2) % tensors);
    if (own.has_rank() && x.has_rank()) {
      if (own.rank() != x.rank()) return ctx.fail("input {} has rank {}, its tensor {}", i, own.rank(), x.rank());
      for (int d = 0; d < x.rank(); ++d)
        SDX_TRY(ctx.same(x.dim(d), own.dim(d), formatted("dimension {} of input {}", d, i)).status());
    }
    const size_t kind = (i - 2) / tensors, which = (i - 2) % tensors;
    if (kind == 1) continue;
    facts[(kind == 0 ? 0 : kind - 1) * tensors + which] = tensor_fact(own.dtype, x.shape);
  }
  return facts;
}

Status reference_optimizer(KernelContext& ctx, size_t states, OptimizerUpdate update) {
  const size_t tensors = (ctx.input_count() - 2) / (2 + states);
  const OptimizerStep step{load_double(ctx.input(0), 0), load_i64(ctx.input(1), 0), ctx.attributes()};
  std::vector<double> state(states);
  for (size_t t = 0; t < tensors; ++t) {
    const Tensor& x = ctx.input(2 + t);
    for (int64_t i = 0; i < x.count(); ++i) {
      double value = load_double(x, i);
      for (size_t s = 0; s < states; ++s) state[s] = load_double(ctx.input(2 + (2 + s) * tensors + t), i);
      update(step, value, load_double(ctx.input(2 + tensors + t), i), state.data());
      if (ctx.wants_output(t)) store_double(ctx.output(t), i, value);
      for (size_t s = 0; s < states; ++s)
        if (const size_t out = (1 + s) * tensors + t; ctx.wants_output(out)) store_double(ctx.output(out), i, state[s]);
    }
    SDX_TRY(ctx.check_cancelled());
  }
  return {};
}

}  // namespace sdx::ops
