// SequenceEmpty: a sequence of no tensors, of an element type.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<DType> element_type(const Attributes& attributes) {
  const int64_t value = attributes.get_int("dtype", static_cast<int64_t>(DType::f32));
  const DType type = dtype_from_onnx(value);
  if (type == DType::undefined) return invalid_argument("dtype {} is no element type", value);
  return type;
}

Result<Facts> infer_sequence_empty(InferContext& ctx) {
  SDX_ASSIGN(const DType type, element_type(ctx.attributes()));
  return Fact::sequence(Fact::tensor(type));
}

Status sequence_empty_reference(KernelContext& ctx) {
  SDX_ASSIGN(const DType type, element_type(ctx.attributes()));
  ctx.set_output(0, Sequence{tensor_type(type), {}});
  return {};
}

}  // namespace

SDX_OP(sequence_empty) = {
    .name = "SequenceEmpty",
    .since = 11,
    .infer = infer_sequence_empty,
    .reference = sequence_empty_reference,
};

}  // namespace sdx::ops
