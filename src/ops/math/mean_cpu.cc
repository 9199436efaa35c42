// Mean for float32 and float64.
#include "ops/math/variadic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(mean, {.name = "mean_f32", .can_run = takes<DType::f32>, .run = run_mean<float>},
                {.name = "mean_f64", .can_run = takes<DType::f64>, .run = run_mean<double>});

}  // namespace sdx::ops
