// Panels of products of doubles and integers: a tile of c lives in registers while a packed panel of b streams by.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/linalg/typed_products.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PanelProduct;

constexpr int kVectors = 2;
constexpr int64_t kPanelBytes = kVectors * HWY_MAX_BYTES;
// Rows of a tile, for doubles as many as let the sums, a panel's row and an element of a fit the registers.
template <typename T>
constexpr int kMaxRows = !hwy::IsFloat<T>()    ? 4
                         : HWY_MAX_BYTES == 64 ? 12
                         : HWY_ARCH_ARM        ? 8
                                               : 4;

template <class D, class V>
HWY_INLINE V multiply_add(D d, V a, V b, V sum) {
  using T = hn::TFromD<D>;
  if constexpr (hwy::IsFloat<T>()) {
    return hn::MulAdd(a, b, sum);
  } else if constexpr (sizeof(T) == 4) {
    return hn::Add(hn::Mul(a, b), sum);
  } else {  // by halves: low * low + 2^32 (high * low + low * high)
    const hn::RepartitionToNarrow<D> halves;
    const auto x = hn::BitCast(halves, a), y = hn::BitCast(halves, b);
    const auto crossed = hn::BitCast(d, hn::Mul(x, hn::Shuffle2301(y)));
    const auto high = hn::Add(hn::ShiftLeft<32>(crossed), hn::And(crossed, hn::Set(d, T{0xFFFFFFFF} << 32)));
    return hn::Add(hn::Add(hn::MulEven(x, y), high), sum);
  }
}

// Rows of a and c from `row` on; adds to c but for the first depths.
template <typename T, int kRows>
void multiply_rows(const PanelProduct<T>& p, const T* panel, int64_t panel_row, int64_t row, int64_t depth,
                   int64_t depths) {
  const hn::CappedTag<T, HWY_MAX_BYTES / sizeof(T)> d;
  using V = hn::VFromD<decltype(d)>;
  constexpr auto kLanes = static_cast<int64_t>(HWY_MAX_BYTES / sizeof(T));
  const auto& all = p.product;
  T* c = all.c + row * all.n + p.column;
  const auto left = [&](int v)
                        HWY_ATTR { return static_cast<size_t>(HWY_MAX(all.n - p.column - v * kLanes, int64_t{0})); };
  V sum[kRows][kVectors];
  HWY_UNROLL(16)
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      sum[r][v] = depth == 0 ? hn::Zero(d) : load_n(d, c + r * all.n + v * kLanes, left(v));
  // A pointer to each four rows, in bytes: with two strides, all rows' addresses stay in registers.
  constexpr int kFours = (kRows + 3) / 4;
  constexpr auto kElement = static_cast<int64_t>(sizeof(T));
  const int64_t a_row = all.a_row * kElement, three_rows = 3 * a_row, a_column = all.a_column * kElement;
  const char* fours[kFours];
  HWY_UNROLL(4)
  for (int i = 0; i < kFours; ++i)
    fours[i] = reinterpret_cast<const char*>(all.a + (row + 4 * i) * all.a_row + depth * all.a_column);
  for (int64_t i = 0; i < depths; ++i, panel += panel_row) {
    const V first = hn::LoadU(d, panel), second = hn::LoadU(d, panel + kLanes);
    HWY_UNROLL(16)
    for (int r = 0; r < kRows; ++r) {
      const char* at = fours[r / 4] + (r % 4 == 3 ? three_rows : r % 4 * a_row);
      const V element = hn::Set(d, *reinterpret_cast<const T*>(at));
      sum[r][0] = multiply_add(d, element, first, sum[r][0]);
      sum[r][1] = multiply_add(d, element, second, sum[r][1]);
    }
    HWY_UNROLL(4)
    for (int j = 0; j < kFours; ++j) fours[j] += a_column;
  }
  HWY_UNROLL(16)
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) store_n(sum[r][v], d, c + r * all.n + v * kLanes, left(v));
}

// Rows [row, last), in tiles of kRows and, where fewer are left, of fewer.
template <typename T, int kRows>
void multiply_all_rows(const PanelProduct<T>& p, const T* panel, int64_t panel_row, int64_t row, int64_t depth,
                       int64_t depths) {
  for (; row + kRows <= p.last_row; row += kRows) multiply_rows<T, kRows>(p, panel, panel_row, row, depth, depths);
  constexpr int kFewer = kRows > 8 ? 8 : kRows / 2;
  if constexpr (kFewer > 0) {
    if (row < p.last_row) multiply_all_rows<T, kFewer>(p, panel, panel_row, row, depth, depths);
  }
}

// Rows of b from `depth` on, zero beyond the last column.
template <typename T>
void pack(const PanelProduct<T>& p, int64_t depth, int64_t depths) {
  constexpr auto kWidth = kPanelBytes / static_cast<int64_t>(sizeof(T));
  const auto& all = p.product;
  const int64_t columns = HWY_MIN(kWidth, all.n - p.column);
  const T* from = all.b + depth * all.b_row + p.column * all.b_column;
  for (int64_t i = 0; i < depths; ++i) {
    T* to = p.packed + i * kWidth;
    for (int64_t j = 0; j < columns; ++j) to[j] = from[i * all.b_row + j * all.b_column];
    for (int64_t j = columns; j < kWidth; ++j) to[j] = T{0};
  }
}

template <typename T>
void multiply_panel(const PanelProduct<T>& p) {
  constexpr auto kWidth = kPanelBytes / static_cast<int64_t>(sizeof(T));
  const auto& all = p.product;
  // Rows of b that few rows of a meet are used where they lie.
  const bool in_place =
      all.b_column == 1 && p.column + kWidth <= all.n && p.last_row - p.first_row <= int64_t{2} * kMaxRows<T>;
  for (int64_t depth = 0; depth == 0 || depth < all.k; depth += ops::kProductDepth) {
    const int64_t depths = HWY_MIN(ops::kProductDepth, all.k - depth);
    if (!in_place) pack(p, depth, depths);
    const T* panel = in_place ? all.b + depth * all.b_row + p.column : p.packed;
    const int64_t panel_row = in_place ? all.b_row : kWidth;
    multiply_all_rows<T, kMaxRows<T>>(p, panel, panel_row, p.first_row, depth, depths);
  }
}

constexpr ops::ProductPanels kPanels = {kPanelBytes, multiply_panel<double>, multiply_panel<uint32_t>,
                                        multiply_panel<uint64_t>};
const ops::ProductPanels* panels() { return &kPanels; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

const ProductPanels& product_panels() { return *SDX_DISPATCH(panels)(); }

Verdict takes_typed_product(const NodeFacts& facts) {
  switch (facts.dtype(0)) {
    case DType::f64:
    case DType::i32:
    case DType::u32:
    case DType::i64:
    case DType::u64: return yes();
    default: return no("only f64 and integers of 32 and 64 bits");
  }
}

Dim typed_product_scratch(const ScratchFacts& facts) {
  return ScratchSize(facts).slots(Dim(kProductDepth * product_panels().bytes)).bytes();
}

}  // namespace sdx::ops
#endif
