// And: y = a and b of booleans, with broadcasting.
#include "ops/infer_elements.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_and(InferContext& ctx) {
  return infer_elements(ctx, DType::boolean, [&](std::span<const Dim> pair) {
    if (pair[0].is_known() && pair[1].is_known()) return Dim(pair[0].known() & pair[1].known());
    return ctx.symbols().fresh_value();
  });
}

}  // namespace

SDX_OP(logical_and) = {
    .name = "And",
    .since = 7,
    .infer = infer_and,
    .reference =
        [](KernelContext& ctx) { return reference_binary(ctx, {.g = [](int64_t a, int64_t b) { return a & b; }}); },
    .upgrades = {{1, upgrade_axis_broadcast}},
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
