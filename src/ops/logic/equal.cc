// Equal: y = (a = b), with broadcasting. A comparison with NaN is false. Strings are compared byte by byte.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_equal(InferContext& ctx) {
  return infer_compare(
      ctx, [](const InferContext& rules, const Dim& a, const Dim& b) { return rules.symbols().equal(a, b); });
}

}  // namespace

SDX_OP(equal) = {
    .name = "Equal",
    .since = 19,
    .infer = infer_equal,
    .reference = reference_compare<std::equal_to<>>,
    .upgrades = {{1, upgrade_axis_broadcast}},
    .records_constraints = true,
};

}  // namespace sdx::ops
