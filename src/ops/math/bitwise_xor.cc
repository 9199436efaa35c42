// BitwiseXor: y = a ^ b, bit by bit, with broadcasting.
#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

SDX_OP(bitwise_xor) = {
    .name = "BitwiseXor",
    .since = 18,
    .infer = infer_broadcast,
    .reference =
        [](KernelContext& ctx) { return reference_binary(ctx, {.g = [](int64_t a, int64_t b) { return a ^ b; }}); },
    .records_constraints = true,
    .in_place = 0,
};

}  // namespace sdx::ops
