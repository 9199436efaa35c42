// What the Reduce operators share: axes, shape rule, the walk over what is reduced, references, and the float32
// kernels.
#pragma once

#include "ops/op.h"
#include "ops/reference.h"

namespace sdx::ops {

// One flag a dimension: whether it is reduced. No axes: all of them, or none where `noop`.
Result<std::vector<bool>> reduced_dimensions(std::span<const int64_t> axes, int rank, bool noop);
// Of a Reduce node at run time: axes are input 1.
Result<std::vector<bool>> reduced_dimensions(KernelContext& ctx);

// Walks over a tensor whose dimensions are kept or reduced. Outputs are numbered in row-major order of what is kept;
// neighbouring dimensions of one kind are merged.
class ReductionPlan {
 public:
  struct Level {
    int64_t size, stride;
  };
  ReductionPlan(std::span<const int64_t> shape, const std::vector<bool>& reduced);
  int64_t outputs() const { return outputs_; }
  int64_t size() const { return size_; }  // elements behind each output
  std::span<const Level> kept() const { return kept_; }
  std::span<const Level> reduced() const { return reduced_; }
  int64_t first_of(int64_t output) const { return offset(kept_, output); }
  int64_t element(int64_t position) const { return offset(reduced_, position); }  // from the first one

  // Calls f(index into the tensor) for each element behind an output, in row-major order.
  template <typename F>
  void each(int64_t output, F f) const {
    const int64_t first = first_of(output);
    if (reduced_.empty()) {
      if (size_ == 1) f(first);
      return;
    }
    const Level inner = reduced_.back();
    if (inner.size == 0) return;
    for (int64_t row = 0; row < size_ / inner.size; ++row) {
      const int64_t base = first + offset({reduced_.data(), reduced_.size() - 1}, row);
      for (int64_t i = 0; i < inner.size; ++i) f(base + i * inner.stride);
    }
  }

 private:
  static int64_t offset(std::span<const Level> levels, int64_t position);
  SmallVector<Level, 6> kept_, reduced_;  // outermost first, without dimensions of 1
  int64_t outputs_ = 1, size_ = 1;
};

// Follows elements that carry shapes through a reduction of a whole vector.
struct TrackedReduction {
  Dim (SymbolTable::*combine)(const Dim&, const Dim&) = nullptr;
  std::optional<int64_t> of_nothing;
};
Result<Facts> infer_reduction(InferContext& ctx);
Result<Facts> infer_reduction(InferContext& ctx, const TrackedReduction& tracked);

// One output from the elements behind it, in order. Integers go through `integer`, where it is null through double.
struct Reducer {
  double (*floating)(std::span<const double>) = nullptr;
  int64_t (*integer)(std::span<const int64_t>, DType) = nullptr;
};
Status reference_reduction(KernelContext& ctx, const Reducer& reducer);
// The least and the largest value of an integer type or of booleans, as load_i64 gives them.
int64_t lowest_of(DType type);
int64_t highest_of(DType type);

// Below opset 18 (ReduceSum: 13) the axes were an attribute.
Status axes_to_input(UpgradeContext& ctx);

enum class Reduction : uint8_t { sum, mean, l1, l2, sum_square, prod, max, min, log_sum };
// float32 kernels. Sums and products are kept in double.
Status run_reduction_f32(KernelContext& ctx, Reduction kind);
Dim reduction_scratch(const ScratchFacts& facts);
// Of other types.
Verdict can_run_typed_reduction(DType type, Reduction kind);
Status run_typed_reduction(KernelContext& ctx, Reduction kind);
// The largest, or the NaN there is; minus infinity of nothing.
using RowMaxF32 = float (*)(const float* x, size_t count);
RowMaxF32 row_max_f32();

}  // namespace sdx::ops
