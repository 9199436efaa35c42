// Convolutions of 8-bit tensors on the CPU, with one or two spatial axes: a matrix product whose right side is gathered
// from the image in panels; or, where each channel has filters of its own, sums over shifted rows.
#pragma once

#include "base/function_ref.h"
#include "ops/quant/convolution_shape.h"

namespace sdx::ops {

struct ConvolutionOperands {
  const Tensor* x = nullptr;
  int32_t x_zero = 0;
  const Tensor* w = nullptr;
  std::vector<int32_t> w_zeros;  // one a filter
};

// Sums of a run of pixels of one filter of one image, modulo 2^32.
using SumsDone = FunctionRef<void(int64_t image, int64_t filter, int64_t pixel, int64_t pixels, const int32_t* sums)>;

Verdict can_run_convolution(const NodeFacts& facts, size_t x, size_t w);
// The zero points of the filters, from an input that may be absent.
Result<std::vector<int32_t>> filter_zeros(const KernelContext& ctx, size_t input, int64_t filters);
// Takes all of the scratch memory.
Status run_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                       SumsDone done);
Dim convolution_scratch(const ScratchFacts& facts, size_t x, size_t w);

}  // namespace sdx::ops
