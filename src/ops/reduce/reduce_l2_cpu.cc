// ReduceL2 for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_l2, f32_reduction<Reduction::l2>("reduce_l2_f32"),
                half_reduction<Reduction::l2>("reduce_l2_half"), typed_reduction<Reduction::l2>("reduce_l2_typed"));

}  // namespace sdx::ops
