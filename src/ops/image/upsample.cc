// Upsample: the former name of Resize, deprecated since opset 10. It becomes that at import.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Tensor scales_tensor(std::span<const float> values) {
  return make_tensor<float>(DType::f32, Shape{static_cast<int64_t>(values.size())}, values);
}

// Opset 1: images, a scale for each side.
Status upsample_1_to_7(UpgradeContext& ctx) {
  const float height = ctx.attributes().get_float("height_scale", 0),
              width = ctx.attributes().get_float("width_scale", 0);
  ctx.attributes().remove("height_scale");
  ctx.attributes().remove("width_scale");
  ctx.attributes().set("scales", std::vector<float>{1, 1, height, width});
  return {};
}

Status upsample_7_to_9(UpgradeContext& ctx) {
  ctx.set_input(1, ctx.constant(scales_tensor(ctx.attributes().get_floats("scales"))));
  ctx.attributes().remove("scales");
  return {};
}

Status upsample_to_resize(UpgradeContext& ctx) {
  if (!ctx.has_input(1)) return ctx.fail("input scales is missing");
  const std::string_view mode = ctx.attributes().get_string("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear" && mode != "cubic")
    return ctx.fail("attribute mode is \"{}\", not nearest, linear or cubic", mode);
  const char* newest = mode == "nearest" ? "nearest" : mode == "cubic" ? "cubic" : "linear";  // also bilinear
  ctx.become(
      "Resize", {ctx.input(0), kNoValue, ctx.input(1)},
      {attr("mode", newest), attr("coordinate_transformation_mode", "asymmetric"), attr("nearest_mode", "floor")});
  return {};
}

}  // namespace

SDX_OP(upsample) = {
    .name = "Upsample",
    .since = 10,
    .infer = [](InferContext& ctx) -> Result<Facts> { return ctx.fail("deprecated: Resize took its place"); },
    .reference = [](KernelContext&) { return invalid_graph("deprecated: Resize took its place"); },
    .upgrades = {{1, upsample_1_to_7}, {7, upsample_7_to_9}, {10, upsample_to_resize}},
};

}  // namespace sdx::ops
