// OptionalHasElement: whether an optional holds a value. Tensors and sequences do; an omitted input does not.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_optional_has_element(InferContext&) { return Fact::tensor(DType::boolean, SymShape()); }

Status optional_has_element_reference(KernelContext& ctx) {
  bool has = ctx.has_input(0);
  if (has && ctx.input_value(0).kind() == ValueKind::optional) has = ctx.input_value(0).optional().element.defined();
  ctx.set_output(0, make_tensor<bool>(DType::boolean, {}, {&has, 1}));
  return {};
}

}  // namespace

SDX_OP(optional_has_element) = {
    .name = "OptionalHasElement",
    .since = 28,
    .infer = infer_optional_has_element,
    .reference = optional_has_element_reference,
};

}  // namespace sdx::ops
