// SequenceInsert: the sequence with a tensor before a position, by default at the end.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_insert(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  SDX_TRY(check_position(ctx, 2));
  SDX_ASSIGN(Fact element, join_facts(ctx, elements_fact(ctx, 0), ctx.input(1), "the element type"));
  element.elements.reset();
  return Fact::sequence(std::move(element));
}

Status sequence_insert_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Sequence* sequence, sequence_input(ctx, 0));
  const Value& inserted = ctx.input_value(1);
  // An empty sequence from outside may not know its element type.
  const bool untyped = sequence->elements.empty() && sequence->element_type.dtype == DType::undefined;
  if (!untyped && inserted.type() != sequence->element_type)
    return invalid_argument("a {} cannot go into a sequence of {}", to_text(inserted.type()),
                            to_text(sequence->element_type));
  size_t position = sequence->elements.size();
  if (ctx.has_input(2)) {
    SDX_ASSIGN(position, position_input(ctx, 2, sequence->elements.size(), PositionRange::elements_and_end));
  }
  Sequence longer;
  longer.element_type = inserted.type();
  longer.elements.reserve(sequence->elements.size() + 1);
  longer.elements = sequence->elements;
  longer.elements.insert(longer.elements.begin() + static_cast<ptrdiff_t>(position), inserted);
  ctx.set_output(0, std::move(longer));
  return {};
}

}  // namespace

SDX_OP(sequence_insert) = {
    .name = "SequenceInsert",
    .since = 11,
    .infer = infer_sequence_insert,
    .reference = sequence_insert_reference,
};

}  // namespace sdx::ops
