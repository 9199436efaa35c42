// Elementwise CPU kernels: maps over one operand, and over two with broadcasting, split over the pool's threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "ops/broadcast_rows.h"
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

// Input 0 is float32, or a 16-bit float that goes through float32 block by block.
inline Verdict takes_floats(const NodeFacts& facts) {
  const DType type = facts.dtype(0);
  return type == DType::f32 || type == DType::f16 || type == DType::bf16 ? yes() : no("only f32, f16 and bf16");
}

// y[i] = f(x[i]) through a kernel over contiguous memory.
using UnaryF32 = void (*)(const float* x, float* y, size_t count);
Status run_unary_f32(KernelContext& ctx, UnaryF32 kernel);
// For the types of takes_floats.
Status run_unary(KernelContext& ctx, UnaryF32 kernel);

// The same with an operator's attributes.
struct Parameters {
  float alpha = 0, beta = 0;
};
using UnaryF32With = void (*)(const float* x, float* y, size_t count, Parameters parameters);
Status run_unary(KernelContext& ctx, UnaryF32With kernel, Parameters parameters);

// y[i] = f(a[i], b[i]) for `count` elements; a step is 0 where the operand is one value, else 1.
template <typename T, typename Out = T>
using BinaryKernel = void (*)(const T* a, int a_step, const T* b, int b_step, Out* y, size_t count);

// Calls work(offsets of the operands, offset of the result, count) for contiguous pieces of a broadcast.
template <size_t N, typename Work>
Status parallel_pieces(KernelContext& ctx, const BroadcastRowsOf<N>& rows, Work work) {
  const int64_t size = rows.row_size();
  const int64_t pieces = (size + kElementwiseGrain - 1) / kElementwiseGrain;
  const auto piece = [&](int64_t row, int64_t from, int64_t to) {
    auto at = rows.offsets(row);
    for (size_t i = 0; i < N; ++i) at[i] += rows.step(i) * from;
    work(at, row * size + from, static_cast<size_t>(to - from));
  };
  if (pieces > 1) {
    return parallel_ranges(ctx, rows.rows() * pieces, 1, [&](int64_t block, int64_t) {
      const int64_t from = block % pieces * kElementwiseGrain;
      piece(block / pieces, from, std::min(from + kElementwiseGrain, size));
    });
  }
  const int64_t rows_per_block = size >= kElementwiseGrain ? 1 : kElementwiseGrain / size;
  return parallel_ranges(ctx, rows.rows(), rows_per_block, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) piece(row, 0, size);
  });
}

// Short rows, of which one operand repeats one: the kernel runs over many at once, beside copies of that row.
template <typename T, typename Out>
Status run_even_rows(KernelContext& ctx, const BroadcastRows& rows, const T* a, const T* b, Out* y,
                     BinaryKernel<T, Out> kernel) {
  constexpr int64_t kTile = 1024;
  const int64_t size = rows.row_size(), together = std::max<int64_t>(1, kTile / size), even = rows.even_rows();
  const int64_t each = std::min(even, std::max(together, kElementwiseGrain / size / together * together));
  const int64_t pieces = (even + each - 1) / each, outer = rows.rows() / even;
  const bool copied[2] = {rows.repeats(0) && rows.step(0) == 1, rows.repeats(1) && rows.step(1) == 1};
  return parallel_ranges(ctx, outer * pieces, std::max<int64_t>(1, kElementwiseGrain / (each * size)),
                         [&](int64_t begin, int64_t end) {
                           T tile[2][kTile];
                           for (int64_t piece = begin; piece < end; ++piece) {
                             const int64_t first = piece / pieces * even + piece % pieces * each;
                             const int64_t last = std::min(first + each, (piece / pieces + 1) * even);
                             const auto at = rows.offsets(first);
                             const T* operands[2] = {a + at[0], b + at[1]};
                             for (size_t i = 0; i < 2; ++i)
                               for (int64_t row = 0; copied[i] && row < std::min(together, last - first); ++row)
                                 std::memcpy(tile[i] + row * size, operands[i], static_cast<size_t>(size) * sizeof(T));
                             for (int64_t row = first; row < last; row += together) {
                               const int64_t done = (row - first) * size;
                               const T* from[2];
                               for (size_t i = 0; i < 2; ++i)
                                 from[i] = copied[i] ? tile[i] : operands[i] + done * rows.step(i);
                               kernel(from[0], rows.step(0), from[1], rows.step(1), y + row * size,
                                      static_cast<size_t>(std::min(together, last - row) * size));
                             }
                           }
                         });
}

template <typename T, typename Out>
Status run_binary_on(KernelContext& ctx, const Tensor& a, const Tensor& b, Tensor& y, BinaryKernel<T, Out> kernel) {
  if (y.count() == 0) return {};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const T *a_data = a.data<T>(), *b_data = b.data<T>();
  Out* y_data = y.data<Out>();
  constexpr int64_t kShortRow = 128;
  if (rows.row_size() <= kShortRow && rows.even_rows() > 1)
    return run_even_rows<T, Out>(ctx, rows, a_data, b_data, y_data, kernel);
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t count) {
    kernel(a_data + at[0], rows.step(0), b_data + at[1], rows.step(1), y_data + y_at, count);
  });
}

template <typename T, typename Out>
Status run_binary(KernelContext& ctx, BinaryKernel<T, Out> kernel) {
  return run_binary_on<T, Out>(ctx, ctx.input(0), ctx.input(1), ctx.output(0), kernel);
}

// The same for f32, and for f16 and bf16 through float32. Rounding twice is harmless for + - * / and what is exact.
Status run_float_binary(KernelContext& ctx, const Tensor& a, const Tensor& b, Tensor& y, BinaryKernel<float> kernel);
inline Status run_float_binary(KernelContext& ctx, BinaryKernel<float> kernel) {
  return run_float_binary(ctx, ctx.input(0), ctx.input(1), ctx.output(0), kernel);
}

// A BinaryKernel in plain C++ from a function of two elements.
template <typename T, typename Out, typename F>
void plain_binary(const T* a, int a_step, const T* b, int b_step, Out* y, size_t count) {
  constexpr F f{};
  if (a_step == 1 && b_step == 1) {
    for (size_t i = 0; i < count; ++i) y[i] = f(a[i], b[i]);
  } else if (a_step == 1) {
    for (size_t i = 0; i < count; ++i) y[i] = f(a[i], *b);
  } else if (b_step == 1) {
    for (size_t i = 0; i < count; ++i) y[i] = f(*a, b[i]);
  } else {
    for (size_t i = 0; i < count; ++i) y[i] = f(*a, *b);
  }
}

}  // namespace sdx::ops
