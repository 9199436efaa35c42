// PRelu: y = x for x >= 0, else slope x. The slope broadcasts to the shape of x. Integers wrap.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_prelu(InferContext& ctx) {
  SDX_ASSIGN(const auto shape, ctx.broadcast_inputs());
  if (shape && shape->size() > ctx.input(0).shape->size())
    return ctx.fail("slope has rank {}, above the rank {} of x", ctx.rank(1), ctx.rank(0));
  if (shape)
    for (int d = 0; d < ctx.rank(0); ++d)
      SDX_TRY(ctx.same((*shape)[static_cast<size_t>(d)], ctx.dim(0, d), "slope does not broadcast to x").status());
  return infer_same_as_first(ctx);
}

Status prelu_reference(KernelContext& ctx) {
  return reference_binary(
      ctx, {.f = [](double x, double slope) { return x < 0 ? x * slope : x; },
            .g =
                [](int64_t x, int64_t slope) {
                  return x < 0 ? static_cast<int64_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(slope)) : x;
                },
            .h = [](uint64_t x, uint64_t) { return x; }});
}

// The slope had one element a channel: it lines up with dimension 1 of x.
Status prelu_1_to_7(UpgradeContext& ctx) {
  ctx.attributes().remove("consumed_inputs");
  if (!ctx.has_input(0) || !ctx.has_input(1)) return ctx.fail("two inputs are wanted");
  const Fact &x = ctx.fact(0), &slope = ctx.fact(1);
  if (!x.has_rank() || !slope.has_rank() || slope.rank() != 1 || slope.dim(0).is(1) || x.rank() <= 2) return {};
  std::vector<int64_t> axes;
  for (int64_t i = 1; i < x.rank() - 1; ++i) axes.push_back(i);
  ctx.set_input(1, ctx.add("Unsqueeze", {ctx.input(1), ctx.ints(axes)}));
  return {};
}

}  // namespace

SDX_OP(prelu) = {
    .name = "PRelu",
    .since = 16,
    .infer = infer_prelu,
    .reference = prelu_reference,
    .upgrades = {{1, prelu_1_to_7}, {6, prelu_1_to_7}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
