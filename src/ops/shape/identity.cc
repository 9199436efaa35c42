// Identity: the input itself, of any kind of value.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_identity(InferContext& ctx) { return Fact(ctx.input(0)); }

Status identity_reference(KernelContext& ctx) {
  ctx.set_output(0, ctx.input_value(0));
  return {};
}

}  // namespace

SDX_OP(identity) = {
    .name = "Identity", .since = 25, .infer = infer_identity, .reference = identity_reference, .view_of = 0};

}  // namespace sdx::ops
