// Cast: every element converted to the type `to`; see cast_elements.h for the rules.
#include "ops/convert/cast_elements.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_cast(InferContext& ctx) {
  const auto* to = ctx.attributes().get<int64_t>("to");
  if (to == nullptr) return ctx.fail("attribute to is missing");
  const DType type = dtype_from_onnx(*to);
  if (type == DType::undefined || is_complex(type))
    return ctx.fail("attribute to is {}, which is no type to cast to", *to);
  return infer_cast_to(ctx, type);
}

// Opset 1 named the type.
Status cast_1_to_6(UpgradeContext& ctx) {
  const auto* to = ctx.attributes().get<std::string>("to");
  if (to == nullptr) return {};
  std::string lower = *to;
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto type = dtype_from_name(lower);
  if (!type) return ctx.fail("attribute to is \"{}\", which is no type", *to);
  ctx.attributes().set("to", static_cast<int64_t>(*type));
  return {};
}

}  // namespace

SDX_OP(cast) = {
    .name = "Cast",
    .since = 28,
    .infer = infer_cast,
    .reference = cast_reference,
    .upgrades = {{1, cast_1_to_6}},
    .records_constraints = true,
};

}  // namespace sdx::ops
