// Less for the native types.
#include "ops/logic/compare.h"

namespace sdx::ops {

SDX_CPU_KERNELS(less, {.name = "less", .can_run = takes_native, .run = run_compare<std::less<>>});

}  // namespace sdx::ops
