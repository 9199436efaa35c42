// MultiHeadAttention for float32.
#include "ops/attention/multi_head_attention.h"
#include "ops/elementwise.h"

namespace sdx::ops {

SDX_CPU_KERNELS(multi_head_attention,
                {.name = "multi_head_attention_f32",
                 .can_run = takes<DType::f32>,
                 .run = [](KernelContext& ctx) { return run_multi_head_attention(ctx, AttendPath::f32); },
                 .scratch_bytes = multi_head_attention_scratch});

}  // namespace sdx::ops
