// BitwiseXor for integers of whole bytes.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(bitwise_xor,
                {.name = "bitwise_xor", .can_run = takes_native_numbers, .run = run_native<Native::bit_xor>});

}  // namespace sdx::ops
