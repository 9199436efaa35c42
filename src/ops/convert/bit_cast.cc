// BitCast: the same bits under a type of the same width. A boolean made from another byte than 0 or 1 is 1.
#include "base/element.h"
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_bit_cast(InferContext& ctx) {
  const auto* to = ctx.attributes().get<int64_t>("to");
  if (to == nullptr) return ctx.fail("attribute to is missing");
  const DType type = dtype_from_onnx(*to), from = ctx.dtype(0);
  if (type == DType::undefined || type == DType::string)
    return ctx.fail("attribute to is {}, which is no type of numbers", *to);
  if (from != DType::undefined && bit_width(from) != bit_width(type))
    return ctx.fail("{} has {} bits, {} has {}", name(from), bit_width(from), name(type), bit_width(type));
  return tensor_fact(type, ctx.input(0).shape);
}

Status bit_cast_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  const DType to = ctx.output_dtype(0);
  if (to == DType::boolean && x.dtype() != DType::boolean) {
    SDX_ASSIGN(Tensor * y, ctx.allocate_output(0, x.shape()));
    for (int64_t i = 0; i < x.count(); ++i) store_i64(*y, i, x.bytes()[i] != std::byte{0});
    return {};
  }
  ctx.set_output(0, Tensor::wrap(to, x.shape(), const_cast<void*>(x.raw()), x.owner(), x.memory()));
  return {};
}

}  // namespace

SDX_OP(bit_cast) = {
    .name = "BitCast",
    .since = 26,
    .infer = infer_bit_cast,
    .reference = bit_cast_reference,
    .records_constraints = true,
    .view_of = 0,
};

}  // namespace sdx::ops
