// Comparisons with broadcasting: references over every type, and kernels for the native types.
#pragma once

#include <functional>

#include "ops/elementwise.h"
#include "ops/infer_elements.h"
#include "ops/reference.h"

namespace sdx::ops {

// Input 0 has a native type (not strings, 16-bit floats, packed types).
Verdict takes_native(const NodeFacts& facts);

template <typename Compare>
Status reference_compare(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(1);
  Tensor& y = ctx.output(0);
  constexpr Compare compare{};
  BroadcastWalker walk(y.shape(), {a.shape(), b.shape()});
  const auto loop = [&](auto load) {
    for (int64_t i = 0; i < y.count(); ++i, walk.next())
      store_i64(y, i, compare(load(a, walk.operand(0)), load(b, walk.operand(1))) ? 1 : 0);
  };
  if (a.dtype() == DType::string) {
    loop([](const Tensor& t, int64_t i) { return t.string_at(i); });
  } else if (is_floating(a.dtype())) {
    loop([](const Tensor& t, int64_t i) { return load_double(t, i); });
  } else if (is_unsigned_integer(a.dtype())) {
    loop([](const Tensor& t, int64_t i) { return static_cast<uint64_t>(load_i64(t, i)); });
  } else {
    loop([](const Tensor& t, int64_t i) { return load_i64(t, i); });
  }
  return {};
}

enum class Comparison : uint8_t { less, less_or_equal, equal };
// Of elements of this type, which has as many bits as Bits.
template <typename Bits>
BinaryKernel<Bits, bool> native_comparison(Comparison comparison, DType type);

// For the native types: a with b, or b with a.
enum class Order : uint8_t { as_is, turned };
Status run_compare(KernelContext& ctx, Comparison comparison, Order order);
// For 16-bit floats, through float32.
Status run_compare_half(KernelContext& ctx, Comparison comparison, Order order);
template <Comparison comparison, Order order = Order::as_is>
Status run_compare(KernelContext& ctx) {
  return run_compare(ctx, comparison, order);
}
template <Comparison comparison, Order order = Order::as_is>
Status run_compare_half(KernelContext& ctx) {
  return run_compare_half(ctx, comparison, order);
}

// a < b, a <= b and a == b of tracked elements.
Truth less_than(const InferContext& ctx, const Dim& a, const Dim& b);
Truth not_above(const InferContext& ctx, const Dim& a, const Dim& b);
Result<Facts> infer_compare(InferContext& ctx, Truth (*rule)(const InferContext&, const Dim& a, const Dim& b));

}  // namespace sdx::ops
