// ConcatFromSequence: the elements one after another along an axis, or stacked along a new one (new_axis=1).
#include "ops/sequence/sequence_values.h"
#include "ops/tensor_parts.h"

namespace sdx::ops {
namespace {

Result<bool> stacks(const Attributes& attributes) {
  const int64_t new_axis = attributes.get_int("new_axis", 0);
  if (new_axis != 0 && new_axis != 1) return invalid_argument("new_axis is {}, not 0 or 1", new_axis);
  return new_axis == 1;
}

Result<Facts> infer_concat_from_sequence(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  if (!ctx.attributes().has("axis")) return ctx.fail("attribute axis is missing");
  SDX_ASSIGN(const bool stack, stacks(ctx.attributes()));
  Fact fact = element_of(ctx, ctx.input(0));
  if (!fact.has_rank()) return fact;
  if (!stack && fact.rank() == 0) return ctx.fail("the elements are scalars, which only new_axis=1 joins");
  SDX_ASSIGN(const int axis, ctx.axis(ctx.attr_int("axis", 0), fact.rank() + (stack ? 1 : 0)));
  if (stack) {
    fact.shape->insert(fact.shape->begin() + axis, ctx.unknown_dim());
  } else {
    (*fact.shape)[static_cast<size_t>(axis)] = ctx.unknown_dim();
  }
  return fact;
}

Status concat_from_sequence_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Sequence* sequence, sequence_input(ctx, 0));
  SDX_ASSIGN(const bool stack, stacks(ctx.attributes()));
  if (sequence->elements.empty()) return invalid_argument("the sequence is empty: there is nothing to join");
  std::vector<Tensor> parts;
  for (const Value& element : sequence->elements) {
    if (!element.is_tensor()) return invalid_argument("the elements are {}, not tensors", to_text(element.type()));
    parts.push_back(element.tensor());
  }
  Shape shape = parts[0].shape();
  const int64_t rank = static_cast<int64_t>(shape.size()) + (stack ? 1 : 0);
  const auto axis = normalize_axis(ctx.attr_int("axis", 0), rank);
  if (!axis) return invalid_argument("axis {} is outside [-{}, {})", ctx.attr_int("axis", 0), rank, rank);
  const size_t at = static_cast<size_t>(*axis);
  int64_t length = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    Shape own = parts[i].shape();
    const int64_t along = stack || own.size() <= at ? 1 : own[at];
    if (!stack && own.size() == shape.size()) own[at] = shape[at];
    if (own != shape)
      return invalid_argument("element {} has shape {}, element 0 has {}", i, to_text(parts[i].shape()),
                              to_text(parts[0].shape()));
    const auto longer = checked_add(length, along);
    if (!longer) return invalid_argument("the result would be too long");
    length = *longer;
  }
  if (stack) {
    shape.insert(at, length);
  } else {
    shape[at] = length;
  }
  SDX_ASSIGN(Tensor joined, join_parts(parts[0].dtype(), parts, shape, *axis));
  ctx.set_output(0, std::move(joined));
  return {};
}

}  // namespace

SDX_OP(concat_from_sequence) = {
    .name = "ConcatFromSequence",
    .since = 11,
    .infer = infer_concat_from_sequence,
    .reference = concat_from_sequence_reference,
};

}  // namespace sdx::ops
