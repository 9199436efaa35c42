// StringConcat: z = x followed by y, with broadcasting.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status string_concat_reference(KernelContext& ctx) {
  const Tensor &x = ctx.input(0), &y = ctx.input(1);
  SDX_ASSIGN(const Shape shape, broadcast_shapes(x.shape(), y.shape()));
  BroadcastWalker walk(shape, {x.shape(), y.shape()});
  StringTensorBuilder joined;
  for (int64_t i = 0, count = count_of(shape); i < count; ++i, walk.next()) {
    std::string text(x.string_at(walk.operand(0)));
    text += y.string_at(walk.operand(1));
    joined.append(text);
  }
  SDX_ASSIGN(Tensor z, joined.finish(shape));
  ctx.set_output(0, std::move(z));
  return {};
}

}  // namespace

SDX_OP(string_concat) = {
    .name = "StringConcat",
    .since = 20,
    .infer = infer_broadcast,
    .reference = string_concat_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
