// Operators on 16-bit floating types through their float32 kernel: inputs widened, the output rounded once.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

bool is_half(DType type);                    // f16 or bf16
Verdict takes_half(const NodeFacts& facts);  // input 0 is of such a type

Verdict takes_half_and_floats(const NodeFacts& facts);  // and each other input of such a type, or of float32

// Runs `run` on float32 copies of all 16-bit inputs and rounds output 0 that it writes. The copies are in scratch
// memory; `run` has the rest of it.
Status run_through_f32(KernelContext& ctx, Status (*run)(KernelContext&));
// `inner_bytes`: what `run` takes.
Dim through_f32_scratch(const ScratchFacts& facts, const Dim& inner_bytes = 0);

}  // namespace sdx::ops
