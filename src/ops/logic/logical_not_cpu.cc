// Not of bytes that are 0 or 1.
#include "ops/native_loops.h"

namespace sdx::ops {

SDX_CPU_KERNELS(logical_not, {.name = "logical_not",
                              .can_run = takes<DType::boolean>,
                              .run = run_native_map<NativeMap::logical_not>});

}  // namespace sdx::ops
