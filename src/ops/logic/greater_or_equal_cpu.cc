// GreaterOrEqual for the native types, and for 16-bit floats through float32.
#include "ops/logic/compare.h"
#include "ops/through_f32.h"

namespace sdx::ops {

SDX_CPU_KERNELS(greater_or_equal,
                {.name = "greater_or_equal",
                 .can_run = takes_native,
                 .run = run_compare<Comparison::less_or_equal, Order::turned>},
                {.name = "greater_or_equal_half",
                 .can_run = takes_half,
                 .run = run_compare_half<Comparison::less_or_equal, Order::turned>});

}  // namespace sdx::ops
