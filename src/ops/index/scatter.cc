// Scatter: the former name of ScatterElements, deprecated since opset 11. It becomes that at import.
#include "ops/op.h"

namespace sdx::ops {
namespace {

Status scatter_to_scatter_elements(UpgradeContext& ctx) {
  const int64_t axis = ctx.attributes().get_int("axis", 0);
  ctx.become("ScatterElements", std::vector<ValueId>(ctx.node().inputs), {attr("axis", axis)});
  return {};
}

}  // namespace

SDX_OP(scatter) = {
    .name = "Scatter",
    .since = 11,
    .infer = [](InferContext& ctx) -> Result<Facts> { return ctx.fail("deprecated: ScatterElements took its place"); },
    .reference = [](KernelContext&) { return invalid_graph("deprecated: ScatterElements took its place"); },
    .upgrades = {{11, scatter_to_scatter_elements}},
};

}  // namespace sdx::ops
