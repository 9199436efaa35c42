// ReduceL1 for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_l1, f32_reduction<Reduction::l1>("reduce_l1_f32"),
                half_reduction<Reduction::l1>("reduce_l1_half"), typed_reduction<Reduction::l1>("reduce_l1_typed"));

}  // namespace sdx::ops
