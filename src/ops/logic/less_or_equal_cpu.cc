// LessOrEqual for the native types.
#include "ops/logic/compare.h"

namespace sdx::ops {

SDX_CPU_KERNELS(less_or_equal,
                {.name = "less_or_equal", .can_run = takes_native, .run = run_compare<std::less_equal<>>});

}  // namespace sdx::ops
