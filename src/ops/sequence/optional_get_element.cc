// OptionalGetElement: what an optional holds; an empty one is an error. Tensors and sequences pass through.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_optional_get_element(InferContext& ctx) {
  Fact fact = ctx.input(0);
  if (fact.kind == ValueKind::optional) fact = fact.inner.empty() ? Fact() : Fact(fact.inner[0]);
  fact.constant = {};
  return fact;
}

Status optional_get_element_reference(KernelContext& ctx) {
  const Value& value = ctx.input_value(0);
  if (value.kind() != ValueKind::optional) {
    ctx.set_output(0, value);
    return {};
  }
  if (!value.optional().element.defined())
    return invalid_argument("the optional is empty: it holds no {}", to_text(value.optional().element_type));
  ctx.set_output(0, value.optional().element);
  return {};
}

}  // namespace

SDX_OP(optional_get_element) = {
    .name = "OptionalGetElement",
    .since = 28,
    .infer = infer_optional_get_element,
    .reference = optional_get_element_reference,
};

}  // namespace sdx::ops
