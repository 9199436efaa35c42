// Not: y = not x.
#include "ops/infer_elements.h"
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_not(InferContext& ctx) {
  return infer_elements(ctx, DType::boolean, [&](std::span<const Dim> x) {
    return x[0].is_known() ? Dim(x[0].known() == 0 ? 1 : 0) : ctx.symbols().fresh_value();
  });
}

}  // namespace

SDX_OP(logical_not) = {
    .name = "Not",
    .since = 1,
    .infer = infer_not,
    .reference =
        [](KernelContext& ctx) { return reference_unary(ctx, nullptr, [](int64_t x) { return int64_t{x == 0}; }); },
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
