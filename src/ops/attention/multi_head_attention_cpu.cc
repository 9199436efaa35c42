// MultiHeadAttention for float32.
#include "ops/attention/multi_head_attention.h"

namespace sdx::ops {
namespace {

Verdict takes_plain_f32(const NodeFacts& facts) {
  if (facts.dtype(0) != DType::f32) return no("only f32");
  return is_plain(facts) ? yes() : no("query, key and value in one or two tensors, or the scores are wanted");
}

}  // namespace

SDX_CPU_KERNELS(multi_head_attention,
                {.name = "multi_head_attention_f32",
                 .can_run = takes_plain_f32,
                 .run = [](KernelContext& ctx) { return run_multi_head_attention(ctx, AttendPath::f32); },
                 .scratch_bytes = multi_head_attention_scratch});

}  // namespace sdx::ops
