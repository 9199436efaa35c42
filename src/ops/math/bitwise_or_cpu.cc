// BitwiseOr for integers of whole bytes.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(bitwise_or, {.name = "bitwise_or", .can_run = takes_native_numbers, .run = run_native<Native::bit_or>});

}  // namespace sdx::ops
