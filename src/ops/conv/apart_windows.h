// ConvTranspose whose windows lie side by side (strides are the kernel's sizes): a product of the transposed weights
// with x, whose rows (channel, kernel element) go to their places in y.
#pragma once

#include "kernel/kernel.h"

namespace sdx::ops {

Verdict has_apart_windows(const NodeFacts& facts);
Status run_apart_windows(KernelContext& ctx);
Dim apart_windows_scratch(const ScratchFacts& facts);

// to[i * rows + r] = from[r * row + i] for i < count.
using InterleaveFloats = void (*)(const float* from, int64_t row, int64_t rows, int64_t count, float* to);
InterleaveFloats interleave_floats_kernel();  // at the SIMD level in force

}  // namespace sdx::ops
