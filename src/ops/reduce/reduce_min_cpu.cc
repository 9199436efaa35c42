// ReduceMin for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_min, f32_reduction<Reduction::min>("reduce_min_f32"),
                half_reduction<Reduction::min>("reduce_min_half"), typed_reduction<Reduction::min>("reduce_min_typed"));

}  // namespace sdx::ops
