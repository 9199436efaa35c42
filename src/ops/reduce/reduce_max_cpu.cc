// ReduceMax for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_max, f32_reduction<Reduction::max>("reduce_max_f32"),
                half_reduction<Reduction::max>("reduce_max_half"), typed_reduction<Reduction::max>("reduce_max_typed"));

}  // namespace sdx::ops
