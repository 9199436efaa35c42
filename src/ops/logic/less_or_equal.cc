// LessOrEqual: y = (a <= b), with broadcasting. A comparison with NaN is false.
#include "ops/logic/compare.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_less_or_equal(InferContext& ctx) {
  return infer_compare(ctx,
                       [](const InferContext& rules, const Dim& a, const Dim& b) { return not_above(rules, a, b); });
}

}  // namespace

SDX_OP(less_or_equal) = {
    .name = "LessOrEqual",
    .since = 16,
    .infer = infer_less_or_equal,
    .reference = reference_compare<std::less_equal<>>,
    .records_constraints = true,
};

}  // namespace sdx::ops
