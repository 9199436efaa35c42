// RotaryEmbedding of com.microsoft for float32.
#include "ops/attention/rotary.h"

namespace sdx::ops {

SDX_CPU_KERNELS(ms_rotary_embedding,
                {.name = "rotary_embedding_f32", .can_run = takes_rotary_f32, .run = [](KernelContext& ctx) -> Status {
                   SDX_ASSIGN(const RotaryCall call, ms_rotary_call(ctx));
                   return run_rotary_f32(ctx, call);
                 }});

}  // namespace sdx::ops
