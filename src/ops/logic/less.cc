// Less: y = (a < b), with broadcasting. A comparison with NaN is false.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_less(InferContext& ctx) {
  return infer_compare(ctx,
                       [](const InferContext& rules, const Dim& a, const Dim& b) { return less_than(rules, a, b); });
}

}  // namespace

SDX_OP(less) = {
    .name = "Less",
    .since = 13,
    .infer = infer_less,
    .reference = reference_compare<std::less<>>,
    .upgrades = {{1, upgrade_axis_broadcast}},
    .records_constraints = true,
};

}  // namespace sdx::ops
