// ReduceSum for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_sum, f32_reduction<Reduction::sum>("reduce_sum_f32"),
                half_reduction<Reduction::sum>("reduce_sum_half"), typed_reduction<Reduction::sum>("reduce_sum_typed"));

}  // namespace sdx::ops
