// BitwiseAnd for integers of whole bytes.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(bitwise_and,
                {.name = "bitwise_and", .can_run = takes_native_numbers, .run = run_native<Native::bit_and>});

}  // namespace sdx::ops
