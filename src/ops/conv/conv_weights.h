// What Conv and FusedConv keep of constant float32 weights. Where the image is small, weights are most of what a
// convolution reads: they become panels, the second operand of y^T = im2col^T w^T, and are read once an image.
#pragma once

#include "kernel/scratch_parts.h"
#include "ops/conv/conv_f32.h"
#include "ops/conv/convolution.h"
#include "ops/linalg/gemm.h"

namespace sdx::ops {

struct ConvWeights : KernelState {
  PackedF32 panels;  // the filters are columns
  Tensor rows;       // of convolutions of few filters (row_conv.h)
  Tensor plain;      // defined where neither is
};

Result<std::unique_ptr<KernelState>> prepare_conv_f32(const NodeFacts& facts);
int64_t conv_packed_bytes(const NodeFacts& facts);
Dim conv_scratch(const ScratchFacts& facts);

// The convolution with panels.
Status run_turned_conv(KernelContext& ctx, const ConvSizes& sizes, const PackedF32& panels, const ConvEnd& end);

}  // namespace sdx::ops
