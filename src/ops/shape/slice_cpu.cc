// Slice of elements of whole bytes.
#include "ops/shape/slice.h"

namespace sdx::ops {

SDX_CPU_KERNELS(slice, {.name = "slice_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                          return copy_view(ctx, 0, ctx.input(0), sliced_view(ctx));
                        }});

}  // namespace sdx::ops
