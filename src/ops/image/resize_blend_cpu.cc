// Weighted sums of rows and of columns of float32, and 8-bit integers to them and back.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/image/resize_blend.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::BlendColumns;

using F32 = hn::ScalableTag<float>;
using V32 = hn::VFromD<F32>;

// Some vectors at once of to[j] = sum of weights[k] * row(k)[j].
template <size_t kVectors, class Row>
HWY_INLINE void blend_vectors(Row row, const float* weights, size_t taps, size_t j, float* to) {
  const F32 d;
  const size_t lanes = hn::Lanes(d);
  V32 sums[kVectors];
  for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (size_t k = 0; k < taps; ++k) {
    const auto weight = hn::Set(d, weights[k]);
    const float* from = row(k) + j;
    for (size_t v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * lanes), sums[v]);
  }
  for (size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, to + j + v * lanes);
}

template <class Row>
HWY_INLINE void blend(Row row, const float* weights, size_t taps, size_t size, float* to) {
  const F32 d;
  const size_t lanes = hn::Lanes(d);
  size_t j = 0;
  for (; j + 4 * lanes <= size; j += 4 * lanes) blend_vectors<4>(row, weights, taps, j, to);
  for (; j + lanes <= size; j += lanes) blend_vectors<1>(row, weights, taps, j, to);
  if (j == size) return;
  auto sum = hn::Zero(d);
  for (size_t k = 0; k < taps; ++k) sum = hn::MulAdd(hn::Set(d, weights[k]), load_n(d, row(k) + j, size - j), sum);
  store_n(sum, d, to + j, size - j);
}

void blend_rows(const float* const* rows, const float* weights, size_t taps, size_t size, float* to) {
  blend([&](size_t k) HWY_ATTR { return rows[k]; }, weights, taps, size, to);
}

void blend_columns(const float* x, const BlendColumns& columns, float* to) {
  const hn::CappedTag<float, 16> d;
  for (size_t i = 0; i < columns.count; ++i, to += columns.size) {
    const auto begin = static_cast<size_t>(columns.begin[i]), end = static_cast<size_t>(columns.begin[i + 1]);
    const int32_t* index = columns.index + begin;
    const float* weight = columns.weight + begin;
    const auto column = [&](size_t k) HWY_ATTR { return x + static_cast<size_t>(index[k]) * columns.size; };
    if (end - begin == 2 && columns.size == 16) {
      const float *a = column(0), *b = column(1);
      const auto weight_a = hn::Set(d, weight[0]), weight_b = hn::Set(d, weight[1]);
      for (size_t lane = 0; lane < 16; lane += hn::Lanes(d)) {
        const auto part = hn::Mul(weight_a, hn::LoadU(d, a + lane));
        hn::StoreU(hn::MulAdd(weight_b, hn::LoadU(d, b + lane), part), d, to + lane);
      }
      continue;
    }
    blend(column, weight, end - begin, columns.size, to);
  }
}

// Four bytes of each 32-bit lane's place.
template <typename Byte>
HWY_INLINE void widen_bytes(const Byte* from, float* to, size_t count) {
  const F32 d;
  const hn::Rebind<int32_t, F32> wide;
  const hn::Rebind<Byte, F32> narrow;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, from + i))), d, to + i);
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <typename Byte>
HWY_INLINE void narrow_bytes(const float* from, bool rounds, Byte* to, size_t count) {
  const F32 d;
  const hn::Rebind<int32_t, F32> wide;
  const hn::Rebind<Byte, F32> narrow;
  const auto low = hn::Set(d, static_cast<float>(hwy::LimitsMin<Byte>()));
  const auto high = hn::Set(d, static_cast<float>(hwy::LimitsMax<Byte>()));
  const auto little = hn::Set(d, 1.0f / 2048);
  const auto whole = [&](V32 v) HWY_ATTR {
    v = hn::Min(hn::Max(v, low), high);
    return rounds ? hn::NearestInt(v) : hn::ConvertTo(wide, hn::Add(v, hn::CopySign(little, v)));
  };
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::DemoteTo(narrow, whole(hn::LoadU(d, from + i))), narrow, to + i);
  for (; i < count; ++i) {
    const auto one = hn::Set(d, from[i]);
    to[i] = static_cast<Byte>(hn::GetLane(whole(one)));
  }
}

void from_u8(const void* from, float* to, size_t count) { widen_bytes(static_cast<const uint8_t*>(from), to, count); }
void from_i8(const void* from, float* to, size_t count) { widen_bytes(static_cast<const int8_t*>(from), to, count); }
void to_u8(const float* from, bool rounds, void* to, size_t count) {
  narrow_bytes(from, rounds, static_cast<uint8_t*>(to), count);
}
void to_i8(const float* from, bool rounds, void* to, size_t count) {
  narrow_bytes(from, rounds, static_cast<int8_t*>(to), count);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

ResizeBlend resize_blend() {
  return {.rows = SDX_DISPATCH(blend_rows),
          .columns = SDX_DISPATCH(blend_columns),
          .from_u8 = SDX_DISPATCH(from_u8),
          .from_i8 = SDX_DISPATCH(from_i8),
          .to_u8 = SDX_DISPATCH(to_u8),
          .to_i8 = SDX_DISPATCH(to_i8)};
}

}  // namespace sdx::ops
#endif
