// Relu: y = max(x, 0). NaN stays NaN.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Status relu_reference(KernelContext& ctx) {
  return reference_unary(
      ctx, [](double x) { return x < 0 ? 0.0 : x; }, [](int64_t x) { return x < 0 ? int64_t{0} : x; });
}

}  // namespace

SDX_OP(relu) = {
    .name = "Relu",
    .since = 14,
    .infer = infer_same_as_first,
    .reference = relu_reference,
    .upgrades = {{1, drop_consumed_inputs}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
