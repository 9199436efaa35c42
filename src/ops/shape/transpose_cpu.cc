// Transpose of elements of whole bytes.
#include "ops/shape/transpose.h"

namespace sdx::ops {

SDX_CPU_KERNELS(transpose, {.name = "transpose_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                              return copy_view(ctx, 0, ctx.input(0), transposed_view(ctx));
                            }});

}  // namespace sdx::ops
