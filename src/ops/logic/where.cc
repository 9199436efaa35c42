// Where: output = condition ? x : y, all three broadcast together. Every type.
#include "ops/infer_elements.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_where(InferContext& ctx) {
  return infer_elements(ctx, ctx.dtype(1), [&](std::span<const Dim> operands) {
    if (operands[1] == operands[2]) return operands[1];
    if (!operands[0].is_known()) return ctx.symbols().fresh_value();
    return operands[0].known() != 0 ? operands[1] : operands[2];
  });
}

Status where_reference(KernelContext& ctx) {
  const Tensor &condition = ctx.input(0), &x = ctx.input(1), &y = ctx.input(2);
  const Shape& shape = ctx.output_shape(0);
  SDX_ASSIGN(ElementWriter writer, ElementWriter::create(ctx, 0, shape));
  BroadcastWalker walk(shape, {condition.shape(), x.shape(), y.shape()});
  const int64_t count = count_of(shape);
  for (int64_t i = 0; i < count; ++i, walk.next()) {
    const bool first = load_i64(condition, walk.operand(0)) != 0;
    writer.append(first ? x : y, walk.operand(first ? 1 : 2));
  }
  return writer.finish();
}

}  // namespace

SDX_OP(where) = {
    .name = "Where",
    .since = 16,
    .infer = infer_where,
    .reference = where_reference,
    .records_constraints = true,
};

}  // namespace sdx::ops
