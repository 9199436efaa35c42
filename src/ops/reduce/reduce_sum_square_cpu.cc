// ReduceSumSquare for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_sum_square, f32_reduction<Reduction::sum_square>("reduce_sum_square_f32"),
                half_reduction<Reduction::sum_square>("reduce_sum_square_half"),
                typed_reduction<Reduction::sum_square>("reduce_sum_square_typed"));

}  // namespace sdx::ops
