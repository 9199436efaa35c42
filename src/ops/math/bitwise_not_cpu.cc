// BitwiseNot for integers of whole bytes.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(bitwise_not,
                {.name = "bitwise_not", .can_run = takes_native_numbers, .run = run_native_map<NativeMap::complement>});

}  // namespace sdx::ops
