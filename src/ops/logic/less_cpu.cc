// Less for the native types, and for 16-bit floats through float32.
#include "ops/logic/compare.h"
#include "ops/through_f32.h"

namespace sdx::ops {

SDX_CPU_KERNELS(less, {.name = "less", .can_run = takes_native, .run = run_compare<Comparison::less>},
                {.name = "less_half", .can_run = takes_half, .run = run_compare_half<Comparison::less>});

}  // namespace sdx::ops
