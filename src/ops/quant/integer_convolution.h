// Convolutions of 8-bit tensors on the CPU, with one to three spatial axes: a matrix product of the filters (packed
// once where they are constant) with panels of 16 pixels, gathered from the image; or, where each channel has filters
// of its own, sums over rows of the channel.
#pragma once

#include "base/function_ref.h"
#include "ops/quant/convolution_shape.h"
#include "ops/quant/integer_filters.h"

namespace sdx::ops {

struct ConvolutionOperands {
  const Tensor* x = nullptr;
  int32_t x_zero = 0;
  const Tensor* w = nullptr;
  std::vector<int32_t> w_zeros;   // one a filter
  const int32_t* bias = nullptr;  // one a filter, added to the sums
};

// Sums of a run of pixels of some filters of one image, modulo 2^32: a row a filter.
struct FilterSums {
  int64_t image, filter, filters, pixel, pixels;
  const int32_t* sums;
  int64_t row;
};
using SumsDone = FunctionRef<void(const FilterSums&)>;

Verdict can_run_convolution(const NodeFacts& facts, size_t x, size_t w);

// Takes all of the scratch memory.
Status run_convolution(KernelContext& ctx, const ConvolutionShape& shape, const ConvolutionOperands& operands,
                       SumsDone done);
Dim convolution_scratch(const ScratchFacts& facts, size_t x, size_t w);

}  // namespace sdx::ops
