// SequenceLength: the number of elements, a scalar.
#include "ops/sequence/sequence_values.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_sequence_length(InferContext& ctx) {
  SDX_TRY(check_sequence(ctx, 0));
  Fact length = Fact::tensor(DType::i64, SymShape());
  length.elements = std::vector<Dim>{ctx.unknown_dim()};
  return length;
}

Status sequence_length_reference(KernelContext& ctx) {
  SDX_ASSIGN(const Sequence* sequence, sequence_input(ctx, 0));
  ctx.set_output(0, scalar_i64(static_cast<int64_t>(sequence->elements.size())));
  return {};
}

}  // namespace

SDX_OP(sequence_length) = {
    .name = "SequenceLength",
    .since = 11,
    .infer = infer_sequence_length,
    .reference = sequence_length_reference,
};

}  // namespace sdx::ops
