// GreaterOrEqual: y = (a >= b), with broadcasting. A comparison with NaN is false.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_greater_or_equal(InferContext& ctx) {
  return infer_compare(ctx,
                       [](const InferContext& rules, const Dim& a, const Dim& b) { return not_above(rules, b, a); });
}

}  // namespace

SDX_OP(greater_or_equal) = {
    .name = "GreaterOrEqual",
    .since = 16,
    .infer = infer_greater_or_equal,
    .reference = reference_compare<std::greater_equal<>>,
    .records_constraints = true,
};

}  // namespace sdx::ops
