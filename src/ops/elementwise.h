// Elementwise CPU kernels: float32 maps over one operand, and over two with broadcasting, split over the pool's
// threads.
#pragma once

#include <cstring>

#include "ops/op.h"

namespace sdx::ops {

inline constexpr int64_t kElementwiseGrain = 16384;  // elements a block: some microseconds of work

// The first element of a tensor that may be unaligned.
template <typename T>
T aligned_value(const Tensor& tensor) {
  T value;
  std::memcpy(&value, tensor.raw(), sizeof(T));
  return value;
}

// Input 0 has the type.
template <DType type>
Verdict takes(const NodeFacts& facts) {
  return facts.dtype(0) == type ? yes() : no(formatted("only {}", name(type)));
}

// y[i] = f(x[i]) through a kernel over contiguous memory.
using UnaryF32 = void (*)(const float* x, float* y, size_t count);
Status run_unary_f32(KernelContext& ctx, UnaryF32 kernel);

// A broadcast of two operands cut into rows: within a row each operand is contiguous or one value.
class BroadcastRows {
 public:
  BroadcastRows(std::span<const int64_t> out, std::span<const int64_t> a, std::span<const int64_t> b);
  int64_t rows() const { return rows_; }
  int64_t row_size() const { return row_size_; }
  bool a_repeats() const { return a_step_ == 0; }  // one value of a for the whole row
  bool b_repeats() const { return b_step_ == 0; }
  // Offsets of the operands where a row begins.
  std::pair<int64_t, int64_t> offsets(int64_t row) const;

 private:
  struct Level {
    int64_t size, a_stride, b_stride;
  };
  SmallVector<Level, 6> outer_;  // outermost first
  int64_t rows_ = 1, row_size_ = 1;
  int a_step_ = 1, b_step_ = 1;
};

// y[i] = f(a[i], b[i]) for `count` elements; a step is 0 where the operand is one value, else 1.
template <typename T, typename Out = T>
using BinaryKernel = void (*)(const T* a, int a_step, const T* b, int b_step, Out* y, size_t count);

template <typename T, typename Out>
Status run_binary(KernelContext& ctx, BinaryKernel<T, Out> kernel) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const int64_t size = rows.row_size();
  const int64_t pieces = (size + kElementwiseGrain - 1) / kElementwiseGrain;
  const int64_t rows_per_block = size >= kElementwiseGrain ? 1 : kElementwiseGrain / size;
  const auto piece = [&](int64_t row, int64_t from, int64_t to) {
    const auto [a_at, b_at] = rows.offsets(row);
    const int a_step = rows.a_repeats() ? 0 : 1, b_step = rows.b_repeats() ? 0 : 1;
    kernel(a.data<T>() + a_at + a_step * from, a_step, b.data<T>() + b_at + b_step * from, b_step,
           y.data<Out>() + row * size + from, static_cast<size_t>(to - from));
  };
  if (pieces > 1) {
    return parallel_ranges(ctx, rows.rows() * pieces, 1, [&](int64_t block, int64_t) {
      const int64_t from = block % pieces * kElementwiseGrain;
      piece(block / pieces, from, std::min(from + kElementwiseGrain, size));
    });
  }
  return parallel_ranges(ctx, rows.rows(), rows_per_block, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) piece(row, 0, size);
  });
}

}  // namespace sdx::ops
