// Rows and columns of elements of type T put together in type A (T itself, or double for float), once per SIMD target.
#include <limits>
#include <type_traits>

#include "kernel/clamp-inl.h"
#include "ops/reduce/sums-inl.h"

#if defined(SDX_REDUCTIONS_PER_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef SDX_REDUCTIONS_PER_TARGET
#undef SDX_REDUCTIONS_PER_TARGET
#else
#define SDX_REDUCTIONS_PER_TARGET
#endif

HWY_BEFORE_NAMESPACE();
namespace sdx {
namespace HWY_NAMESPACE {

struct AsIs {
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return v;
  }
};

// Each takes the next element and what there is, joins what there is of two, and says what nothing gives.
template <class F>
struct Plus {
  template <typename A>
  static constexpr A start() {
    return 0;
  }
  template <class V>
  HWY_INLINE V operator()(V v, V sum) const {
    return hn::Add(sum, F()(v));
  }
  template <class V>
  static HWY_INLINE V join(V a, V b) {
    return hn::Add(a, b);
  }
  template <typename A>
  static A combine(A v, A sum) {
    return v + sum;
  }
};
struct Times {
  template <typename A>
  static constexpr A start() {
    return 1;
  }
  template <class V>
  HWY_INLINE V operator()(V v, V product) const {
    return hn::Mul(product, v);
  }
  template <class V>
  static HWY_INLINE V join(V a, V b) {
    return hn::Mul(a, b);
  }
  template <typename A>
  static A combine(A v, A product) {
    return v * product;
  }
};
// The better of two, or the NaN among them.
template <bool kLargest>
struct Best {
  static constexpr bool kIsLargest = kLargest;
  template <typename A>
  static constexpr A start() {
    return kLargest ? -std::numeric_limits<A>::infinity() : std::numeric_limits<A>::infinity();
  }
  template <class V>
  HWY_INLINE V operator()(V v, V best) const {
    return hn::IfThenElse(hn::IsNaN(v), v, kLargest ? at_least(v, best) : at_most(v, best));  // these keep a best NaN
  }
  template <class V>
  static HWY_INLINE V join(V a, V b) {
    return Best()(a, b);
  }
  template <typename A>
  static A combine(A v, A best) {
    return v != v || (kLargest ? v > best : v < best) ? v : best;
  }
};
using Larger = Best<true>;
using Smaller = Best<false>;

template <typename T, class D>
HWY_INLINE hn::VFromD<D> load_as(D d, const T* x, size_t count) {
  if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
    return load_n(d, x, count);
  } else {
    return hn::PromoteTo(d, load_n(hn::Rebind<T, D>(), x, count));
  }
}

template <class Op>
inline constexpr bool kIsBest = false;
template <bool kLargest>
inline constexpr bool kIsBest<Best<kLargest>> = true;

// All lanes put together.
template <class Op, class D, class V, typename A = hn::TFromD<D>>
HWY_INLINE A fold(D d, V v) {
  if constexpr (kIsBest<Op>) {
    if (!hn::AllFalse(d, hn::IsNaN(v))) return std::numeric_limits<A>::quiet_NaN();
    return hn::GetLane(Op::kIsLargest ? hn::MaxOfLanes(d, v) : hn::MinOfLanes(d, v));
  } else if constexpr (std::is_same_v<Op, Times>) {
    HWY_ALIGN A lanes[hn::MaxLanes(D())];
    hn::Store(v, d, lanes);
    A all = lanes[0];
    for (size_t i = 1; i < hn::Lanes(d); ++i) all = Op::combine(lanes[i], all);
    return all;
  } else {
    return hn::GetLane(hn::SumOfLanes(d, v));
  }
}

template <class Op, typename T, typename A>
A reduce_row(const T* x, size_t count) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  const Op op;
  auto a = hn::Set(d, Op::template start<A>()), b = a, c = a, e = a;
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    a = op(load_as(d, x + i, lanes), a);
    b = op(load_as(d, x + i + lanes, lanes), b);
    c = op(load_as(d, x + i + 2 * lanes, lanes), c);
    e = op(load_as(d, x + i + 3 * lanes, lanes), e);
  }
  for (; i + lanes <= count; i += lanes) a = op(load_as(d, x + i, lanes), a);
  if (i < count) b = hn::IfThenElse(hn::FirstN(d, count - i), op(load_as(d, x + i, count - i), b), b);
  return fold<Op>(d, Op::join(Op::join(a, b), Op::join(c, e)));
}

// For short rows: a lane is a row.
template <class Op, typename T, typename A>
void reduce_short_rows(const T* x, size_t size, size_t rows, A* y) {
  const hn::ScalableTag<A> d;
  const hn::Rebind<T, decltype(d)> from;
  const hn::RebindToSigned<decltype(from)> indices;
  using Index = hn::TFromD<decltype(indices)>;
  const size_t lanes = hn::Lanes(d);
  const auto at = hn::Mul(hn::Iota(indices, 0), hn::Set(indices, static_cast<Index>(size)));
  size_t r = 0;
  for (; r + lanes <= rows; r += lanes) {
    auto result = hn::Set(d, Op::template start<A>());
    for (size_t k = 0; k < size; ++k) {
      const auto v = hn::GatherIndex(from, x + r * size + k, at);
      if constexpr (std::is_same_v<T, A>) {
        result = Op()(v, result);
      } else {
        result = Op()(hn::PromoteTo(d, v), result);
      }
    }
    hn::StoreU(result, d, y + r);
  }
  const hn::CappedTag<A, 1> one;
  for (; r < rows; ++r) {
    auto result = hn::Set(one, Op::template start<A>());
    for (size_t k = 0; k < size; ++k) result = Op()(hn::Set(one, static_cast<A>(x[r * size + k])), result);
    hn::StoreU(result, one, y + r);
  }
}

template <class Op, typename T, typename A>
void reduce_columns(const T* x, size_t rows, size_t step, size_t count, A* y) {
  const hn::ScalableTag<A> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    auto a = hn::LoadU(d, y + i), b = hn::LoadU(d, y + i + lanes);
    auto c = hn::LoadU(d, y + i + 2 * lanes), e = hn::LoadU(d, y + i + 3 * lanes);
    const T* from = x + i;
    for (size_t row = 0; row < rows; ++row, from += step) {
      a = Op()(load_as(d, from, lanes), a);
      b = Op()(load_as(d, from + lanes, lanes), b);
      c = Op()(load_as(d, from + 2 * lanes, lanes), c);
      e = Op()(load_as(d, from + 3 * lanes, lanes), e);
    }
    hn::StoreU(a, d, y + i);
    hn::StoreU(b, d, y + i + lanes);
    hn::StoreU(c, d, y + i + 2 * lanes);
    hn::StoreU(e, d, y + i + 3 * lanes);
  }
  for (; i < count; i += 2 * lanes) {
    const size_t left = count - i, more = left - HWY_MIN(left, lanes);
    auto a = load_n(d, y + i, left), b = load_n(d, y + i + lanes, more);
    const T* from = x + i;
    for (size_t row = 0; row < rows; ++row, from += step) {
      a = Op()(load_as(d, from, left), a);
      b = Op()(load_as(d, from + lanes, more), b);
    }
    store_n(a, d, y + i, left);
    store_n(b, d, y + i + lanes, more);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sdx
HWY_AFTER_NAMESPACE();

#endif  // per target
