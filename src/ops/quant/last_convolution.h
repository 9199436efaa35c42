// Convolutions of 8-bit tensors [N, spatial..., C], with one or two spatial axes: pixels are found by pointers, and
// multiplied with filters that were packed ahead.
#pragma once

#include "ops/quant/convolution_shape.h"
#include "ops/quant/integer_convolution.h"
#include "ops/quant/integer_gemm.h"
#include "ops/quant/last_convolution_kernels.h"

namespace sdx::ops {

Verdict can_run_last_convolution(const NodeFacts& facts, size_t x, size_t w);
// Constant filters, which run_last_convolution finds as the kernel's state.
Result<std::unique_ptr<KernelState>> prepare_last_filters(const NodeFacts& facts, size_t w);
int64_t packed_last_filter_bytes(const NodeFacts& facts, size_t w);

// y = saturate(round(sum * multiplier) + zero), a multiplier a filter or one for all; or floats = sum * multiplier.
struct LastOutput {
  std::span<const float> multipliers;
  Requantization to;
  uint8_t* y = nullptr;
  float* floats = nullptr;
  SumOfCodes sum = {};
};
// Takes all of the scratch memory.
Status run_last_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                            const LastOutput& output);
// Inputs as QLinearConv's, with the channels last.
Status run_last_qlinear_conv(KernelContext& ctx, const SumOfCodes& sum);
Dim last_convolution_scratch(const ScratchFacts& facts, size_t x, size_t w);

}  // namespace sdx::ops
