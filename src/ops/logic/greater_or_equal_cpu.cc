// GreaterOrEqual for the native types.
#include "ops/logic/compare.h"

namespace sdx::ops {

SDX_CPU_KERNELS(greater_or_equal,
                {.name = "greater_or_equal", .can_run = takes_native, .run = run_compare<std::greater_equal<>>});

}  // namespace sdx::ops
