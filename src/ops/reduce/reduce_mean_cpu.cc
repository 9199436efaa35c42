// ReduceMean for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_mean, f32_reduction<Reduction::mean>("reduce_mean_f32"),
                half_reduction<Reduction::mean>("reduce_mean_half"),
                typed_reduction<Reduction::mean>("reduce_mean_typed"));

}  // namespace sdx::ops
