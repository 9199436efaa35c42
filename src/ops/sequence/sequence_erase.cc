// SequenceErase: the sequence without the element at a position, by default the last.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_erase(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  SDX_TRY(check_position(ctx, 1));
  return Fact::sequence(elements_fact(ctx, 0));
}

Status sequence_erase_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Sequence* sequence, sequence_input(ctx, 0));
  if (sequence->elements.empty()) return invalid_argument("the sequence is empty: there is nothing to erase");
  size_t position = sequence->elements.size() - 1;
  if (ctx.has_input(1)) {
    SDX_ASSIGN(position, position_input(ctx, 1, sequence->elements.size(), PositionRange::elements));
  }
  Sequence shorter = *sequence;
  shorter.elements.erase(shorter.elements.begin() + static_cast<ptrdiff_t>(position));
  ctx.set_output(0, std::move(shorter));
  return {};
}

}  // namespace

SDX_OP(sequence_erase) = {
    .name = "SequenceErase",
    .since = 11,
    .infer = infer_sequence_erase,
    .reference = sequence_erase_reference,
};

}  // namespace sdx::ops
