#include "ops/logic/compare.h"

#include "ops/half.h"

namespace sdx::ops {

Verdict takes_native(const NodeFacts& facts) {
  bool arithmetic = false;
  visit_native(facts.dtype(0), [&](auto sample) { arithmetic = std::is_arithmetic_v<decltype(sample)>; });
  return arithmetic ? yes() : no(formatted("not {}", name(facts.dtype(0))));
}

Truth less_than(const InferContext& ctx, const Dim& a, const Dim& b) { return ctx.symbols().less(a, b); }

Truth not_above(const InferContext& ctx, const Dim& a, const Dim& b) {
  switch (ctx.symbols().less(b, a)) {
    case Truth::yes: return Truth::no;
    case Truth::no: return Truth::yes;
    default: return Truth::unknown;
  }
}

Result<Facts> infer_compare(InferContext& ctx, Truth (*rule)(const InferContext&, const Dim& a, const Dim& b)) {
  return infer_elements(ctx, DType::boolean,
                        [&](std::span<const Dim> pair) { return truth_element(ctx, rule(ctx, pair[0], pair[1])); });
}

namespace {

template <typename Bits>
Status run_on(KernelContext& ctx, Comparison comparison, Order order) {
  const DType type = ctx.input(0).dtype();
  const Tensor &a = ctx.input(order == Order::turned ? 1 : 0), &b = ctx.input(order == Order::turned ? 0 : 1);
  return run_binary_on<Bits, bool>(ctx, a, b, ctx.output(0), native_comparison<Bits>(comparison, type));
}

}  // namespace

Status run_compare(KernelContext& ctx, Comparison comparison, Order order) {
  switch (bit_width(ctx.input(0).dtype())) {
    case 8: return run_on<uint8_t>(ctx, comparison, order);
    case 16: return run_on<uint16_t>(ctx, comparison, order);
    case 32: return run_on<uint32_t>(ctx, comparison, order);
    default: return run_on<uint64_t>(ctx, comparison, order);
  }
}

Status run_compare_half(KernelContext& ctx, Comparison comparison, Order order) {
  const Tensor &a = ctx.input(order == Order::turned ? 1 : 0), &b = ctx.input(order == Order::turned ? 0 : 1);
  const BinaryKernel<uint32_t, bool> compare = native_comparison<uint32_t>(comparison, DType::f32);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  bool* out = y.data<bool>();
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t size) {
    constexpr size_t kTile = kTileElements;
    alignas(64) float a_tile[kTile], b_tile[kTile];
    const auto widen = [&](const Tensor& x, size_t i, size_t from, size_t count, float* tile) {
      if (rows.step(i) == 0 && from > 0) return;
      half_to_f32(x.dtype(), x.data<uint16_t>() + at[i] + rows.step(i) * static_cast<int64_t>(from), tile,
                  rows.step(i) == 0 ? 1 : count);
    };
    for (size_t from = 0; from < size; from += kTile) {
      const size_t count = std::min(kTile, size - from);
      widen(a, 0, from, count, a_tile);
      widen(b, 1, from, count, b_tile);
      compare(reinterpret_cast<const uint32_t*>(a_tile), rows.step(0), reinterpret_cast<const uint32_t*>(b_tile),
              rows.step(1), out + y_at + static_cast<int64_t>(from), count);
    }
  });
}

}  // namespace sdx::ops
