// Elementwise CPU kernels: maps over one operand, and over two with broadcasting, split over the pool's threads.
#pragma once

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

inline constexpr int64_t kShortRow = 64;  // elements: below, a call a row costs more than writing rows out
inline constexpr int64_t kTileElements = 1024, kTileRoom = kTileElements + BroadcastRows::kSlack;

// Calls work(first row, rows) for some rows at a time, kTileElements elements at most. For short rows.
template <size_t N, typename Work>
Status parallel_short_rows(KernelContext& ctx, const BroadcastRowsOf<N>& rows, Work work) {
  const int64_t tile = kTileElements / rows.row_size(), grain = kElementwiseGrain / kTileElements * tile;
  return parallel_ranges(ctx, rows.rows(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += tile) work(row, std::min(tile, end - row));
  });
}

template <typename T, typename Out>
Status run_binary_on(KernelContext& ctx, const Tensor& a, const Tensor& b, Tensor& y, BinaryKernel<T, Out> kernel) {
  if (y.count() == 0) return {};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const T *a_data = a.data<T>(), *b_data = b.data<T>();
  Out* y_data = y.data<Out>();
  if (rows.row_size() < kShortRow && rows.rows() > 1) {
    return parallel_short_rows(ctx, rows, [&](int64_t row, int64_t count) {
      alignas(64) T a_tile[kTileRoom], b_tile[kTileRoom];
      const int64_t at = row * rows.row_size();
      if (!rows.is_whole(0)) rows.expand(0, a_data, row, count, a_tile);
      if (!rows.is_whole(1)) rows.expand(1, b_data, row, count, b_tile);
      kernel(rows.is_whole(0) ? a_data + at : a_tile, 1, rows.is_whole(1) ? b_data + at : b_tile, 1, y_data + at,
             static_cast<size_t>(count * rows.row_size()));
    });
  }
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
