#include "base/simd_targets.h"  // first

#include <cmath>
#include <limits>

#include "kernel/clamp-inl.h"
#include "ops/pool/row_steps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::RowSteps;

template <typename T>
constexpr bool kIsFloat = std::is_floating_point_v<T>;

struct Largest {
  template <typename T>
  static constexpr T nothing() {
    return kIsFloat<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  }
  template <class V>
  HWY_INLINE V operator()(V best, V v) const {
    if constexpr (kIsFloat<hn::TFromV<V>>) {
      return hn::IfThenElse(hn::IsNaN(v), v, at_least(v, best));  // at_least keeps a best NaN
    } else {
      return hn::Max(best, v);
    }
  }
  template <typename T>
  static HWY_INLINE T of_two(T best, T v) {
    return v > best || v != v ? v : best;
  }
};

struct Sum {
  template <typename T>
  static constexpr T nothing() {
    return 0;
  }
  template <class V>
  HWY_INLINE V operator()(V sum, V v) const {
    return hn::Add(sum, v);
  }
  template <typename T>
  static HWY_INLINE T of_two(T sum, T v) {
    return sum + v;
  }
};

// One vector or two.
template <class Op, int kVectors, typename T>
HWY_INLINE void down_group(const T* base, const int64_t* offsets, size_t rows, T* to) {
  const hn::ScalableTag<T> d;
  const size_t second = kVectors == 2 ? hn::Lanes(d) : 0;
  auto a = hn::LoadU(d, base + offsets[0]), b = hn::LoadU(d, base + offsets[0] + second);
  for (size_t row = 1; row < rows; ++row) {
    a = Op()(a, hn::LoadU(d, base + offsets[row]));
    if (kVectors == 2) b = Op()(b, hn::LoadU(d, base + offsets[row] + second));
  }
  hn::StoreU(a, d, to);
  if (kVectors == 2) hn::StoreU(b, d, to + second);
}

template <int n>
struct Vectors {
  static constexpr int kCount = n;
};

// Calls f(Vectors<n>, first) for groups of vectors that cover `count` >= lanes elements. What reaches beyond the end
// begins before it instead: the elements of two groups are made twice, the same.
template <class F>
HWY_INLINE void cover(size_t count, size_t lanes, F f) {
  size_t i = 0;
  if (count >= 2 * lanes) {
    for (; i + 2 * lanes <= count; i += 2 * lanes) f(Vectors<2>(), i);
    if (i + lanes < count) return f(Vectors<2>(), count - 2 * lanes);
    if (i < count) f(Vectors<1>(), count - lanes);
    return;
  }
  f(Vectors<1>(), 0);
  if (lanes < count) f(Vectors<1>(), count - lanes);
}

template <class Op, typename T>
HWY_INLINE void down_line(const T* base, const int64_t* offsets, size_t rows, size_t count, T* to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  if (count < lanes) {
    auto all = load_n(d, base + offsets[0], count);
    for (size_t row = 1; row < rows; ++row) all = Op()(all, load_n(d, base + offsets[row], count));
    return store_n(all, d, to, count);
  }
  cover(count, lanes, [&](auto vectors, size_t i) HWY_ATTR {
    down_group<Op, decltype(vectors)::kCount>(base + i, offsets, rows, to + i);
  });
}

template <class Op, typename T>
void down(const typename RowSteps<T>::Down& step) {
  for (size_t line = 0; line < step.lines; ++line) {
    const auto first = step.starts[line];
    const auto rows = static_cast<size_t>(step.starts[line + 1] - first);
    T* to = step.to + line * step.pitch;
    if (rows > 0) {
      down_line<Op>(step.base, step.offsets + first, rows, step.count, to);
    } else {
      for (size_t i = 0; i < step.count; ++i) to[i] = Op::template nothing<T>();
    }
  }
}

template <typename T>
using Along = typename RowSteps<T>::Along;

// One vector of elements at one place of a vector of windows.
struct Near {
  static constexpr size_t kStride = 1;
  template <class D>
  HWY_INLINE hn::VFromD<D> operator()(D d, const hn::TFromD<D>* p) const {
    return hn::LoadU(d, p);
  }
};
struct EverySecond {
  static constexpr size_t kStride = 2;
  template <class D>
  HWY_INLINE hn::VFromD<D> operator()(D d, const hn::TFromD<D>* p) const {
    return hn::ConcatEven(d, hn::LoadU(d, p + hn::Lanes(d)), hn::LoadU(d, p));
  }
};

// One vector of results or two, or `left` of one; factors may be null.
template <class Op, class Load, int kVectors, typename T>
HWY_INLINE void along_group(const T* from, size_t kernel, size_t dilation, const T* factors, T* to, size_t left) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d), second = kVectors == 2 ? lanes * Load::kStride : 0;
  constexpr Load load;
  auto a = load(d, from), b = load(d, from + second);
  for (size_t k = 1; k < kernel; ++k) {
    from += dilation;
    a = Op()(a, load(d, from));
    if (kVectors == 2) b = Op()(b, load(d, from + second));
  }
  if constexpr (kIsFloat<T>) {
    if (factors != nullptr) {
      a = hn::Mul(a, load_n(d, factors, left));
      if (kVectors == 2) b = hn::Mul(b, hn::LoadU(d, factors + lanes));
    }
  }
  if (kVectors == 1) return store_n(a, d, to, left);
  hn::StoreU(a, d, to);
  hn::StoreU(b, d, to + lanes);
}

template <class Op, class Load, typename T>
HWY_INLINE void along_line(const Along<T>& step, const T* from, const T* factors, T* to) {
  const size_t lanes = hn::Lanes(hn::ScalableTag<T>()), kernel = step.kernel, dilation = step.dilation;
  if (step.count < lanes) return along_group<Op, Load, 1>(from, kernel, dilation, factors, to, step.count);
  cover(step.count, lanes, [&](auto vectors, size_t i) HWY_ATTR {
    along_group<Op, Load, decltype(vectors)::kCount>(from + i * Load::kStride, kernel, dilation,
                                                     factors != nullptr ? factors + i : nullptr, to + i, lanes);
  });
}

// Long windows without gaps, one after another.
template <class Op, typename T>
HWY_INLINE void along_long(const Along<T>& step, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN T buffer[hn::MaxLanes(d)];
  for (size_t i = 0; i < step.count; ++i, from += step.stride) {
    auto all = hn::Set(d, Op::template nothing<T>());
    size_t k = 0;
    for (; k + lanes <= step.kernel; k += lanes) all = Op()(all, hn::LoadU(d, from + k));
    if (k < step.kernel) {
      const auto rest = hn::FirstN(d, step.kernel - k);
      all = hn::IfThenElse(rest, Op()(all, hn::LoadU(d, from + k)), all);
    }
    hn::Store(all, d, buffer);
    T result = buffer[0];
    for (size_t lane = 1; lane < lanes; ++lane) result = Op::of_two(result, buffer[lane]);
    to[i] = result;
  }
}

// A lane a window, by gathers where the processor has them.
template <class Op, typename T>
HWY_INLINE void along_apart(const Along<T>& step, const T* from, T* to) {
  size_t i = 0;
  if constexpr (sizeof(T) >= 4) {
    const hn::ScalableTag<T> d;
    const hn::RebindToSigned<decltype(d)> di;
    using Index = hn::TFromD<decltype(di)>;
    const size_t lanes = hn::Lanes(d);
    const auto steps = hn::Mul(hn::Iota(di, 0), hn::Set(di, static_cast<Index>(step.stride)));
    for (; i + lanes <= step.count; i += lanes) {
      const T* window = from + i * step.stride;
      auto all = hn::GatherIndex(d, window, steps);
      for (size_t k = 1; k < step.kernel; ++k) all = Op()(all, hn::GatherIndex(d, window + k * step.dilation, steps));
      hn::StoreU(all, d, to + i);
    }
  }
  for (; i < step.count; ++i) {
    const T* window = from + i * step.stride;
    T all = window[0];
    for (size_t k = 1; k < step.kernel; ++k) all = Op::of_two(all, window[k * step.dilation]);
    to[i] = all;
  }
}

// Windows of 3 or 4 elements next to each other.
template <class Op, typename T>
HWY_INLINE void along_groups(const Along<T>& step, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  hn::VFromD<decltype(d)> a, b, c, e;
  size_t i = 0;
  for (; i + lanes <= step.count; i += lanes) {
    if (step.kernel == 3) {
      hn::LoadInterleaved3(d, from + i * 3, a, b, c);
    } else {
      hn::LoadInterleaved4(d, from + i * 4, a, b, c, e);
      c = Op()(c, e);
    }
    hn::StoreU(Op()(Op()(a, b), c), d, to + i);
  }
  for (; i < step.count; ++i) {
    T all = from[i * step.kernel];
    for (size_t k = 1; k < step.kernel; ++k) all = Op::of_two(all, from[i * step.kernel + k]);
    to[i] = all;
  }
}

template <class Op, typename T>
void along(const Along<T>& step) {
  for (size_t line = 0; line < step.lines; ++line) {
    const T* from = step.from + line * step.pitch;
    const T* factors = step.factors != nullptr ? step.factors[line] : nullptr;
    T* to = step.to + line * step.to_pitch;
    if (step.stride == 1) {
      along_line<Op, Near>(step, from, factors, to);
      continue;
    }
    if (step.stride == 2 && step.kernel < 64) {
      along_line<Op, EverySecond>(step, from, factors, to);
      continue;
    }
    if ((step.kernel == 3 || step.kernel == 4) && step.kernel == step.stride && step.dilation == 1) {
      along_groups<Op>(step, from, to);
    } else if (step.kernel >= 16 && step.dilation == 1) {
      along_long<Op>(step, from, to);
    } else {
      along_apart<Op>(step, from, to);
    }
    for (size_t i = 0; factors != nullptr && i < step.count; ++i) to[i] *= factors[i];
  }
}

// Lines that a vector holds.
template <typename T>
HWY_INLINE void copy_short(const typename RowSteps<T>::Copy& step) {
  const hn::ScalableTag<T> d;
  const auto inside = hn::FirstN(d, step.count);
  const T* from = step.from;
  T* to = step.to;
  for (size_t line = 0; line < step.lines; ++line, from += step.pitch, to += step.to_pitch) {
    auto v = hn::MaskedLoad(inside, d, from);
    if constexpr (kIsFloat<T>) {
      if (step.factors != nullptr) v = hn::Mul(v, hn::MaskedLoad(inside, d, step.factors[line]));
    }
    hn::BlendedStore(v, inside, d, to);
  }
}

template <typename T>
void copy(const typename RowSteps<T>::Copy& step) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  if constexpr (kMaskedMemory<T>) {
    if (step.count <= lanes) return copy_short<T>(step);
  }
  for (size_t line = 0; line < step.lines; ++line) {
    const T* from = step.from + line * step.pitch;
    T* to = step.to + line * step.to_pitch;
    for (size_t i = 0; i < step.count; i += lanes) {
      const size_t left = step.count - i;
      auto v = load_n(d, from + i, left);
      if constexpr (kIsFloat<T>) {
        if (step.factors != nullptr) v = hn::Mul(v, load_n(d, step.factors[line] + i, left));
      }
      store_n(v, d, to + i, left);
    }
  }
}

template <class Op, typename T>
constexpr RowSteps<T> kSteps = {
    .nothing = Op::template nothing<T>(), .down = down<Op, T>, .along = along<Op, T>, .copy = copy<T>};

const RowSteps<float>* maxima_f32() { return &kSteps<Largest, float>; }
const RowSteps<uint8_t>* maxima_u8() { return &kSteps<Largest, uint8_t>; }
const RowSteps<float>* sums_f32() { return &kSteps<Sum, float>; }
const RowSteps<double>* sums_f64() { return &kSteps<Sum, double>; }

// y[i] = f(x[i]), between types of different widths too.
template <class From, class To, class F>
HWY_INLINE void map_row(From from, To to, const hn::TFromD<From>* x, size_t n, hn::TFromD<To>* y, F f) {
  for (size_t i = 0; i < n; i += hn::Lanes(to)) store_n(f(load_n(from, x + i, n - i)), to, y + i, n - i);
}

constexpr hn::ScalableTag<double> kF64;
constexpr hn::Rebind<float, hn::ScalableTag<double>> kHalfF32;  // as many floats as a vector has doubles

void root(const double* x, size_t n, double* y) {
  map_row(kF64, kF64, x, n, y, [](auto v) HWY_ATTR { return hn::Sqrt(v); });
}
void widen(const float* x, size_t n, double* y) {
  map_row(kHalfF32, kF64, x, n, y, [](auto v) HWY_ATTR { return hn::PromoteTo(kF64, v); });
}
void narrow(const double* x, size_t n, float* y) {
  map_row(kF64, kHalfF32, x, n, y, [](auto v) HWY_ATTR { return hn::DemoteTo(kHalfF32, v); });
}
void magnitudes(const double* x, size_t n, double* y) {
  map_row(kF64, kF64, x, n, y, [](auto v) HWY_ATTR { return hn::Abs(v); });
}
void squares(const double* x, size_t n, double* y) {
  map_row(kF64, kF64, x, n, y, [](auto v) HWY_ATTR { return hn::Mul(v, v); });
}

constexpr ops::RowMaps kMaps = {
    .widen = widen, .narrow = narrow, .magnitudes = magnitudes, .squares = squares, .root = root};
const ops::RowMaps* maps() { return &kMaps; }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

template <>
const RowSteps<float>& row_maxima<float>() {
  return *SDX_DISPATCH(maxima_f32)();
}
template <>
const RowSteps<uint8_t>& row_maxima<uint8_t>() {
  return *SDX_DISPATCH(maxima_u8)();
}
template <>
const RowSteps<float>& row_sums<float>() {
  return *SDX_DISPATCH(sums_f32)();
}
template <>
const RowSteps<double>& row_sums<double>() {
  return *SDX_DISPATCH(sums_f64)();
}
const RowMaps& row_maps() { return *SDX_DISPATCH(maps)(); }

}  // namespace sdx::ops
#endif
