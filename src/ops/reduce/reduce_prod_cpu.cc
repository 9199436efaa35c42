// ReduceProd for floats and integers.
#include "ops/reduce/reduction_kernels.h"

namespace sdx::ops {

SDX_CPU_KERNELS(reduce_prod, f32_reduction<Reduction::prod>("reduce_prod_f32"),
                half_reduction<Reduction::prod>("reduce_prod_half"),
                typed_reduction<Reduction::prod>("reduce_prod_typed"));

}  // namespace sdx::ops
