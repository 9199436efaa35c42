// Greater for the native types.
#include "ops/logic/compare.h"

namespace sdx::ops {

SDX_CPU_KERNELS(greater, {.name = "greater", .can_run = takes_native, .run = run_compare<std::greater<>>});

}  // namespace sdx::ops
