// Split of elements of whole bytes.
#include "ops/shape/split.h"

namespace sdx::ops {

SDX_CPU_KERNELS(split, {.name = "split_bytes", .can_run = takes_whole_bytes, .run = [](KernelContext& ctx) {
                          return write_parts(ctx, copy_view);
                        }});

}  // namespace sdx::ops
