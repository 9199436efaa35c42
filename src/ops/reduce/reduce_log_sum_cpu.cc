// ReduceLogSum for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_log_sum, f32_reduction<Reduction::log_sum>("reduce_log_sum_f32"),
                half_reduction<Reduction::log_sum>("reduce_log_sum_half"),
                typed_reduction<Reduction::log_sum>("reduce_log_sum_typed"));

}  // namespace sdx::ops
