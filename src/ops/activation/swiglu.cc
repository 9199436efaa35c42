// SwiGLU: y = a / (1 + e^(-alpha a)) b. Both inputs have one shape.
#include <cmath>

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_swiglu(InferContext& ctx) {
  if (!ctx.has_rank(0) || !ctx.has_rank(1)) return tensor_fact(ctx.dtype(0), ctx.input(ctx.has_rank(1) ? 1 : 0).shape);
  if (ctx.rank(0) != ctx.rank(1)) return ctx.fail("b has rank {}, a has rank {}", ctx.rank(1), ctx.rank(0));
  SymShape shape;
  for (int d = 0; d < ctx.rank(0); ++d) {
    SDX_ASSIGN(Dim dim, ctx.same(ctx.dim(0, d), ctx.dim(1, d), formatted("dimension {} of a and b", d)));
    shape.push_back(std::move(dim));
  }
  return tensor_fact(ctx.dtype(0), std::move(shape));
}

Status swiglu_reference(KernelContext& ctx) {
  const double alpha = ctx.attr_float("alpha", 1.0f);
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  for (int64_t i = 0; i < a.count(); ++i) {
    const double gate = load_double(a, i);
    store_double(ctx.output(0), i, gate / (1 + std::exp(-alpha * gate)) * load_double(b, i));
  }
  return {};
}

}  // namespace

SDX_OP(swiglu) = {
    .name = "SwiGLU",
    .since = 28,
    .infer = infer_swiglu,
    .reference = swiglu_reference,
    .records_constraints = true,
    .in_place = 0,
    .tolerance = relative(4e-6),
};

}  // namespace sdx::ops
