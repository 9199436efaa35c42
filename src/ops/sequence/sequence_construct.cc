// SequenceConstruct: a sequence of the input tensors, which share an element type.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_construct(InferContext& ctx) {
  Fact element = ctx.input(0);
  element.constant = {};
  for (size_t i = 1; i < ctx.input_count(); ++i) {
    SDX_ASSIGN(element, join_facts(ctx, element, ctx.input(i), formatted("the type of input {}", i)));
  }
  element.elements.reset();
  return Fact::sequence(std::move(element));
}

Status sequence_construct_reference(KernelContext& ctx) {
  Sequence sequence;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    const ValueType type = ctx.input_value(i).type();
    if (i == 0) sequence.element_type = type;
    if (type != sequence.element_type)
      return invalid_argument("input {} is {}, input 0 is {}", i, to_text(type), to_text(sequence.element_type));
    sequence.elements.push_back(ctx.input_value(i));
  }
  ctx.set_output(0, std::move(sequence));
  return {};
}

}  // namespace

SDX_OP(sequence_construct) = {
    .name = "SequenceConstruct",
    .since = 11,
    .infer = infer_sequence_construct,
    .reference = sequence_construct_reference,
};

}  // namespace sdx::ops
