// What the normalisations share: moments of parts of a tensor, checks of scale and bias, output types.
#pragma once

#include "ops/op.h"
#include "ops/reduce/reduction.h"

namespace sdx::ops {

struct Moments {
  double mean = 0, variance = 0;  // of the population
};
// Of the elements behind one output of the plan, in two passes.
Moments moments(const Tensor& x, const ReductionPlan& plan, int64_t output);

// Input i, named `what`, is a vector of `channels` elements.
Status check_channels(const InferContext& ctx, size_t i, std::string_view what, const Dim& channels);
// Input i broadcasts to the shape of input 0 without changing it.
Status check_broadcasts_to_first(const InferContext& ctx, size_t i, std::string_view what);
// Attribute stash_type is a floating type that stage one may use.
Status check_stash_type(const InferContext& ctx);

// [rows, size]: dimensions before and from the axis on.
struct RowView {
  int64_t rows = 1, size = 1;
  RowView(std::span<const int64_t> shape, int64_t axis);
};

// A scale or bias has exactly one element for each of a row, in order: what row kernels want.
bool is_whole_row(const Tensor& tensor, std::span<const int64_t> x_shape, const RowView& view);
// Rows a block of a parallel loop, so that a block is some microseconds of work.
int64_t rows_a_block(int64_t row_size);

// Elements of a tensor that broadcasts to x, in x's order. An absent one counts as `otherwise` everywhere.
class BroadcastElements {
 public:
  BroadcastElements(const Tensor* tensor, std::span<const int64_t> x_shape, double otherwise);
  double next();

 private:
  const Tensor* tensor_;
  double otherwise_;
  BroadcastWalker walker_;
};

// References that kernels fall back on where scale, bias or axes are unusual.
Status layer_normalization_reference(KernelContext& ctx);
Status mean_variance_normalization_reference(KernelContext& ctx);
std::span<const int64_t> mean_variance_axes(const Attributes& attributes);

}  // namespace sdx::ops
