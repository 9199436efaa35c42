// Optional: an optional that holds the input; without an input an empty one, of the element type in attribute `type`.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Result<Fact> element_fact(const InferContext& ctx) {
  if (ctx.has_input(0)) return ctx.input(0);
  const Fact* type = ctx.attributes().get<Fact>("type");
  if (type == nullptr) return ctx.fail("neither an input nor attribute type is given");
  return *type;
}

Result<Facts> infer_optional(InferContext& ctx) {
  SDX_ASSIGN(Fact element, element_fact(ctx));
  element.constant = {};
  element.elements.reset();
  return Fact::optional(std::move(element));
}

Status optional_reference(KernelContext& ctx) {
  OptionalValue value;
  if (ctx.has_input(0)) {
    value.element = ctx.input_value(0);
    value.element_type = value.element.type();
  } else {
    const Fact* type = ctx.attributes().get<Fact>("type");
    if (type == nullptr) return invalid_argument("neither an input nor attribute type is given");
    value.element_type = type_of(*type);
  }
  ctx.set_output(0, std::move(value));
  return {};
}

}  // namespace

SDX_OP(optional) = {
    .name = "Optional",
    .since = 28,
    .infer = infer_optional,
    .reference = optional_reference,
};

}  // namespace sdx::ops
