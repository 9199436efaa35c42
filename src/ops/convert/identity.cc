// Identity: the same value: a tensor, sequence, map, optional or sparse tensor.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_identity(InferContext& ctx) {
  Fact fact = ctx.input(0);
  const bool carries_shapes = fact.is_constant() && is_integer(fact.dtype) && fact.constant.rank() <= 1 &&
                              static_cast<size_t>(fact.constant.count()) <= kMaxTrackedElements;
  if (carries_shapes) fact.elements = ctx.elements(0);
  fact.constant = {};
  return fact;
}

Status identity_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input_value(0));
  return {};
}

}  // namespace

SDX_OP(identity) = {
    .name = "Identity",
    .since = 25,
    .infer = infer_identity,
    .reference = identity_reference,
    .records_constraints = true,
    .view_of = 0,
};

}  // namespace sdx::ops
