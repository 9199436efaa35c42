// BitwiseNot: y = ~x, bit by bit.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(bitwise_not) = {
    .name = "BitwiseNot",
    .since = 18,
    .infer = infer_same_as_first,
    .reference = [](KernelContext& ctx) { return reference_unary(ctx, nullptr, [](int64_t x) { return ~x; }); },
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
