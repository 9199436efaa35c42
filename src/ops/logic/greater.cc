// Greater: y = (a > b), with broadcasting. A comparison with NaN is false.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_greater(InferContext& ctx) {
  return infer_compare(ctx,
                       [](const InferContext& rules, const Dim& a, const Dim& b) { return less_than(rules, b, a); });
}

}  // namespace

SDX_OP(greater) = {
    .name = "Greater",
    .since = 13,
    .infer = infer_greater,
    .reference = reference_compare<std::greater<>>,
    .upgrades = {{1, upgrade_axis_broadcast}},
    .records_constraints = true,
};

}  // namespace sdx::ops
