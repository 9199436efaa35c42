// Weighted sums of rows and of columns, in the precision that the element type wants.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/image/resize_blend.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::BlendColumns;

// Some vectors at once of to[j] = sum of weights[k] * row(k)[j].
template <size_t kVectors, typename T, class Row>
HWY_INLINE void blend_vectors(Row row, const T* weights, size_t taps, size_t j, T* to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  hn::VFromD<decltype(d)> sums[kVectors];
  for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (size_t k = 0; k < taps; ++k) {
    const auto weight = hn::Set(d, weights[k]);
    const T* from = row(k) + j;
    for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * lanes), sums[v]);
  }
  for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, to + j + v * lanes);
}

template <typename T, class Row>
HWY_INLINE void blend(Row row, const T* weights, size_t taps, size_t size, T* to) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  size_t j = 0;
  for (; j + 4 * lanes <= size; j += 4 * lanes) blend_vectors<4>(row, weights, taps, j, to);
  for (; j + lanes <= size; j += lanes) blend_vectors<1>(row, weights, taps, j, to);
  if (j == size) return;
  auto sum = hn::Zero(d);
  for (size_t k = 0; k < taps; ++k) sum = hn::MulAdd(hn::Set(d, weights[k]), load_n(d, row(k) + j, size - j), sum);
  store_n(sum, d, to + j, size - j);
}

template <typename T>
HWY_INLINE void blend_columns_of(const T* x, const BlendColumns<T>& columns, T* to) {
  const hn::CappedTag<T, ops::kResizeLanes> d;
  for (size_t i = 0; i < columns.count; ++i, to += columns.size) {
    const auto begin = static_cast<size_t>(columns.begin[i]), end = static_cast<size_t>(columns.begin[i + 1]);
    const int32_t* index = columns.index + begin;
    const T* weight = columns.weight + begin;
    const auto column = [&](size_t k) HWY_ATTR { return x + static_cast<size_t>(index[k]) * columns.size; };
    if (end - begin == 2 && columns.size == ops::kResizeLanes) {
      const T *a = column(0), *b = column(1);
      const auto weight_a = hn::Set(d, weight[0]), weight_b = hn::Set(d, weight[1]);
      for (size_t lane = 0; lane < ops::kResizeLanes; lane += hn::Lanes(d)) {
        const auto part = hn::Mul(weight_a, hn::LoadU(d, a + lane));
        hn::StoreU(hn::MulAdd(weight_b, hn::LoadU(d, b + lane), part), d, to + lane);
      }
      continue;
    }
    blend(column, weight, end - begin, columns.size, to);
  }
}

void rows_f32(const float* const* rows, const float* weights, size_t taps, size_t size, float* to) {
  blend([&](size_t k) HWY_ATTR { return rows[k]; }, weights, taps, size, to);
}
void rows_f64(const double* const* rows, const double* weights, size_t taps, size_t size, double* to) {
  blend([&](size_t k) HWY_ATTR { return rows[k]; }, weights, taps, size, to);
}
void columns_f32(const float* x, const BlendColumns<float>& columns, float* to) { blend_columns_of(x, columns, to); }
void columns_f64(const double* x, const BlendColumns<double>& columns, double* to) { blend_columns_of(x, columns, to); }

// Two by two.
void doubles_to_lanes(const double* from, size_t rows, size_t size, double* to) {
  const hn::Full128<double> d;
  constexpr size_t kLanes = ops::kResizeLanes;
  size_t p = 0;
  for (; p + 2 <= size; p += 2, to += 2 * kLanes) {
    for (size_t i = 0; i + 2 <= rows; i += 2) {
      const auto a = hn::LoadU(d, from + i * size + p), b = hn::LoadU(d, from + (i + 1) * size + p);
      hn::StoreU(hn::InterleaveLower(d, a, b), d, to + i);
      hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + kLanes + i);
    }
    if (rows % 2 != 0) {
      to[rows - 1] = from[(rows - 1) * size + p];
      to[kLanes + rows - 1] = from[(rows - 1) * size + p + 1];
    }
  }
  for (size_t i = 0; i < rows && p < size; ++i) to[i] = from[i * size + p];
}

void doubles_to_rows(const double* from, size_t rows, size_t size, double* to) {
  const hn::Full128<double> d;
  constexpr size_t kLanes = ops::kResizeLanes;
  size_t p = 0;
  for (; p + 2 <= size; p += 2, from += 2 * kLanes) {
    for (size_t i = 0; i + 2 <= rows; i += 2) {
      const auto a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + kLanes + i);
      hn::StoreU(hn::InterleaveLower(d, a, b), d, to + i * size + p);
      hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + (i + 1) * size + p);
    }
    if (rows % 2 != 0) {
      to[(rows - 1) * size + p] = from[rows - 1];
      to[(rows - 1) * size + p + 1] = from[kLanes + rows - 1];
    }
  }
  for (size_t i = 0; i < rows && p < size; ++i) to[i * size + p] = from[i];
}

template <typename T>
HWY_INLINE void widen(const void* memory, double* to, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<int32_t, decltype(d)> wide;
  const hn::Rebind<T, decltype(d)> narrow;
  const T* from = static_cast<const T*>(memory);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(narrow, from + i);
    if constexpr (sizeof(T) == 4) {
      hn::StoreU(hn::PromoteTo(d, v), d, to + i);
    } else {
      hn::StoreU(hn::PromoteTo(d, hn::PromoteTo(wide, v)), d, to + i);
    }
  }
  for (; i < count; ++i) to[i] = from[i];
}

template <typename T>
HWY_INLINE void narrow(const double* from, bool rounds, void* memory, size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<int32_t, decltype(d)> wide;
  const hn::Rebind<T, decltype(d)> narrow;
  const auto low = hn::Set(d, static_cast<double>(hwy::LimitsMin<T>()));
  const auto high = hn::Set(d, static_cast<double>(hwy::LimitsMax<T>()));
  const auto little = hn::Set(d, rounds ? 1.0 : ops::kAlmostWhole);
  const auto stored = [&](hn::VFromD<decltype(d)> v) HWY_ATTR {
    const auto nearest = hn::Round(v);
    v = hn::IfThenElse(hn::Lt(hn::Abs(hn::Sub(v, nearest)), little), nearest, hn::Trunc(v));
    return hn::DemoteTo(wide, hn::Min(hn::Max(v, low), high));
  };
  T* to = static_cast<T*>(memory);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto v = stored(hn::LoadU(d, from + i));
    if constexpr (sizeof(T) == 4) {
      hn::StoreU(v, narrow, to + i);
    } else {
      hn::StoreU(hn::DemoteTo(narrow, v), narrow, to + i);
    }
  }
  for (; i < count; ++i) to[i] = static_cast<T>(hn::GetLane(stored(hn::Set(d, from[i]))));
}

void widen_u8(const void* from, double* to, size_t count) { widen<uint8_t>(from, to, count); }
void widen_i8(const void* from, double* to, size_t count) { widen<int8_t>(from, to, count); }
void widen_u16(const void* from, double* to, size_t count) { widen<uint16_t>(from, to, count); }
void widen_i16(const void* from, double* to, size_t count) { widen<int16_t>(from, to, count); }
void widen_i32(const void* from, double* to, size_t count) { widen<int32_t>(from, to, count); }
void narrow_u8(const double* from, bool rounds, void* to, size_t count) { narrow<uint8_t>(from, rounds, to, count); }
void narrow_i8(const double* from, bool rounds, void* to, size_t count) { narrow<int8_t>(from, rounds, to, count); }
void narrow_u16(const double* from, bool rounds, void* to, size_t count) { narrow<uint16_t>(from, rounds, to, count); }
void narrow_i16(const double* from, bool rounds, void* to, size_t count) { narrow<int16_t>(from, rounds, to, count); }
void narrow_i32(const double* from, bool rounds, void* to, size_t count) { narrow<int32_t>(from, rounds, to, count); }

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

template <>
ResizeBlend<float> resize_blend<float>() {
  return {.rows = SDX_DISPATCH(rows_f32), .columns = SDX_DISPATCH(columns_f32)};
}

template <>
ResizeBlend<double> resize_blend<double>() {
  return {.rows = SDX_DISPATCH(rows_f64), .columns = SDX_DISPATCH(columns_f64)};
}

TurnDoubles turn_doubles() {
  return {.to_lanes = SDX_DISPATCH(doubles_to_lanes), .to_rows = SDX_DISPATCH(doubles_to_rows)};
}

IntegerRows integer_rows(DType type) {
  switch (type) {
    case DType::u8: return {SDX_DISPATCH(widen_u8), SDX_DISPATCH(narrow_u8)};
    case DType::i8: return {SDX_DISPATCH(widen_i8), SDX_DISPATCH(narrow_i8)};
    case DType::u16: return {SDX_DISPATCH(widen_u16), SDX_DISPATCH(narrow_u16)};
    case DType::i16: return {SDX_DISPATCH(widen_i16), SDX_DISPATCH(narrow_i16)};
    case DType::i32: return {SDX_DISPATCH(widen_i32), SDX_DISPATCH(narrow_i32)};
    default: return {};
  }
}

}  // namespace sdx::ops
#endif
