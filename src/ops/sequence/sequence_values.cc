#include "ops/sequence/sequence_values.h"

#include "base/element.h"

namespace sdx::ops {

Result<const Sequence*> sequence_input(const KernelContext& ctx, size_t i) {
  const Value& value = ctx.input_value(i);
  if (value.kind() != ValueKind::sequence)
    return invalid_argument("input {} is {}, a sequence is wanted", i, to_text(value.type()));
  return &value.sequence();
}

Result<size_t> position_input(const KernelContext& ctx, size_t i, size_t count, PositionRange range) {
  const Tensor& tensor = ctx.input(i);
  if (tensor.count() != 1)
    return invalid_argument("the position has shape {}, a scalar is wanted", to_text(tensor.shape()));
  const int64_t given = load_i64(tensor, 0), size = static_cast<int64_t>(count);
  const int64_t position = given < 0 ? given + size : given;
  const int64_t limit = range == PositionRange::elements ? size - 1 : size;
  if (position < 0 || position > limit)
    return invalid_argument("position {} is outside [-{}, {}] of a sequence of {}", given, size, limit, size);
  return static_cast<size_t>(position);
}

Status check_sequence(const InferContext& ctx, size_t i) {
  const Fact& fact = ctx.input(i);
  if (fact.kind != ValueKind::sequence && fact.kind != ValueKind::none)
    return ctx.fail("input {} is {}, a sequence is wanted", i, to_text(type_of(fact)));
  return {};
}

Status check_position(const InferContext& ctx, size_t i) {
  if (!ctx.has_input(i) || !ctx.has_rank(i)) return {};
  const Fact& fact = ctx.input(i);
  if (fact.rank() > 1 || (fact.rank() == 1 && fact.dim(0).is_known() && !fact.dim(0).is(1)))
    return ctx.fail("the position is {}, a scalar is wanted", to_text(fact, ctx.symbols()));
  return {};
}

Fact elements_fact(const InferContext& ctx, size_t i) {
  const Fact& fact = ctx.input(i);
  return fact.inner.empty() ? Fact() : fact.inner[0];
}

}  // namespace sdx::ops
