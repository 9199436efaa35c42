// Equal for the native types.
#include "ops/logic/compare.h"

namespace sdx::ops {

SDX_CPU_KERNELS(equal, {.name = "equal", .can_run = takes_native, .run = run_compare<std::equal_to<>>});

}  // namespace sdx::ops
