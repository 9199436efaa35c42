// Equal for the native types, and for 16-bit floats through float32.
#include "ops/logic/compare.h"
#include "ops/through_f32.h"

namespace sdx::ops {

SDX_CPU_KERNELS(equal, {.name = "equal", .can_run = takes_native, .run = run_compare<Comparison::equal>},
                {.name = "equal_half", .can_run = takes_half, .run = run_compare_half<Comparison::equal>});

}  // namespace sdx::ops
