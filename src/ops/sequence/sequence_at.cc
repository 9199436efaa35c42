// SequenceAt: the element at a position, which may count from the end.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_at(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  SDX_TRY(check_position(ctx, 1));
  return element_of(ctx, ctx.input(0));
}

Status sequence_at_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Sequence* sequence, sequence_input(ctx, 0));
  SDX_ASSIGN(const size_t position, position_input(ctx, 1, sequence->elements.size(), PositionRange::elements));
  ctx.set_output(0, sequence->elements[position]);
  return {};
}

}  // namespace

SDX_OP(sequence_at) = {
    .name = "SequenceAt",
    .since = 11,
    .infer = infer_sequence_at,
    .reference = sequence_at_reference,
};

}  // namespace sdx::ops
