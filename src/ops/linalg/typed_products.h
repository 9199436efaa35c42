// Matrix products of doubles, and of 32- and 64-bit integers, which wrap.
#pragma once

#include "kernel/kernel.h"
#include "kernel/scratch_parts.h"

namespace sdx::ops {

// c = a @ b; c is row-major, the operands have any strides, in elements. T: double, uint32_t or uint64_t.
template <typename T>
struct TypedProduct {
  int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  const T* b = nullptr;
  int64_t a_row = 0, a_column = 1, b_row = 0, b_column = 1;
  T* c = nullptr;
};

// Some columns of a product's c for some of its rows.
template <typename T>
struct PanelProduct {
  TypedProduct<T> product;
  int64_t column = 0, first_row = 0, last_row = 0;
  T* packed = nullptr;  // kProductDepth rows of a panel
};

inline constexpr int64_t kProductDepth = 256;
struct ProductPanels {
  int64_t bytes;  // of a row of a panel
  void (*f64)(const PanelProduct<double>&);
  void (*u32)(const PanelProduct<uint32_t>&);
  void (*u64)(const PanelProduct<uint64_t>&);
};
const ProductPanels& product_panels();  // at the SIMD level in force

Verdict takes_typed_product(const NodeFacts& facts);  // by the type of input 0
Dim typed_product_scratch(const ScratchFacts& facts);

namespace internal {
template <typename T>
constexpr auto panel_function() {
  if constexpr (std::is_same_v<T, double>)
    return &ProductPanels::f64;
  else if constexpr (sizeof(T) == 4)
    return &ProductPanels::u32;
  else
    return &ProductPanels::u64;
}
}  // namespace internal

// `product(i)`: the i-th of `count` TypedProducts of the same sizes.
template <typename Product>
Status typed_products(KernelContext& ctx, int64_t count, Product product) {
  auto first = product(int64_t{0});
  using T = std::remove_cvref_t<decltype(*first.c)>;
  constexpr int64_t kRowsOfPart = 256, kLeastOperations = 400'000;
  const ProductPanels& panels = product_panels();
  const auto width = panels.bytes / static_cast<int64_t>(sizeof(T));
  const int64_t across = (first.n + width - 1) / width, down = (first.m + kRowsOfPart - 1) / kRowsOfPart;
  const int64_t operations = 2 * std::min(first.m, kRowsOfPart) * width * std::max<int64_t>(1, first.k);
  ScratchSlots slots = ScratchParts(ctx).slots(static_cast<size_t>(kProductDepth * panels.bytes));
  const int64_t grain = std::max<int64_t>(1, kLeastOperations / operations);
  return parallel_ranges(ctx, count * across * down, grain, [&](int64_t begin, int64_t end) {
    const ScratchSlots::Lease lease(slots);
    for (int64_t unit = begin; unit < end; ++unit) {
      PanelProduct<T> one{.product = product(unit / (across * down))};
      one.column = unit % across * width;
      one.first_row = unit / across % down * kRowsOfPart;
      one.last_row = std::min(one.first_row + kRowsOfPart, first.m);
      one.packed = reinterpret_cast<T*>(lease.memory());
      (panels.*internal::panel_function<T>())(one);
    }
  });
}

}  // namespace sdx::ops
