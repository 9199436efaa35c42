// Places and weights of points in double precision, and sums over them.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/point_taps.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::PointTaps;
using ops::TapAxis;

using F64 = hn::ScalableTag<double>;
using V64 = hn::VFromD<F64>;
using Lanes16 = hn::CappedTag<float, 16>;

struct Along {
  Along(const TapAxis& axis, const F64 d)
      : size(hn::Set(d, static_cast<double>(axis.size))),
        low(hn::Set(d, axis.low)),
        high(hn::Set(d, axis.high)),
        range(hn::Set(d, axis.high - axis.low)),
        period(hn::Set(d, axis.high > axis.low ? 2 * (axis.high - axis.low) : 1.0)),
        outside(axis.outside) {}

  // The distance from `low` rises and falls over a period.
  V64 reflected(const F64 d, V64 x) const {
    const auto from_low = hn::Sub(x, low);
    const auto periods = hn::Round(hn::Div(from_low, period));
    const auto distance = hn::Abs(hn::NegMulAdd(periods, period, from_low));
    return hn::Add(low, hn::Min(hn::Max(distance, hn::Zero(d)), range));
  }
  // NaN is far before the first element.
  V64 placed(const F64 d, V64 x) const {
    x = hn::IfThenElse(hn::IsNaN(x), hn::Set(d, -1e9), x);
    x = hn::Min(hn::Max(x, hn::Set(d, -1e15)), hn::Set(d, 1e15));
    if (outside != TapAxis::Outside::reflection) return x;
    return hn::IfThenElse(hn::Or(hn::Lt(x, low), hn::Lt(high, x)), reflected(d, x), x);
  }
  // Moves an element inside, or takes its weight away.
  V64 inside(const F64 d, V64 at, V64& weight) const {
    const auto is_inside = hn::And(hn::Ge(at, hn::Zero(d)), hn::Lt(at, size));
    if (outside == TapAxis::Outside::zeros) {
      weight = hn::IfThenElseZero(is_inside, weight);
      return at;
    }
    if (outside == TapAxis::Outside::reflection) at = hn::IfThenElse(is_inside, at, hn::Trunc(reflected(d, at)));
    return hn::Min(hn::Max(at, hn::Zero(d)), hn::Sub(size, hn::Set(d, 1.0)));
  }

  V64 size, low, high, range, period;
  TapAxis::Outside outside;
};

HWY_INLINE V64 near_weight(const F64 d, V64 x) {  // (1.25 x - 2.25) x^2 + 1
  const auto slope = hn::MulSub(hn::Set(d, 1.25), x, hn::Set(d, 2.25));
  return hn::MulAdd(hn::Mul(slope, x), x, hn::Set(d, 1.0));
}

HWY_INLINE V64 far_weight(const F64 d, V64 x) {  // ((-0.75 x + 3.75) x - 6) x + 3
  const auto square = hn::NegMulAdd(hn::Set(d, 0.75), x, hn::Set(d, 3.75));
  return hn::MulAdd(hn::MulSub(square, x, hn::Set(d, 6.0)), x, hn::Set(d, 3.0));
}

void along_axis(const TapAxis& axis, const double* positions, const PointTaps& taps) {
  const F64 d;
  const hn::Rebind<int32_t, F64> places;
  const hn::Rebind<float, F64> weights;
  const Along along(axis, d);
  const auto stride = hn::Set(d, static_cast<double>(axis.stride)), one = hn::Set(d, 1.0);
  const auto pitch = static_cast<size_t>(taps.pitch);
  for (size_t p = 0; p < pitch; p += hn::Lanes(d)) {
    const auto x = along.placed(d, hn::LoadU(d, positions + p)), left = hn::Floor(x), part = hn::Sub(x, left);
    const auto put = [&](size_t tap, double offset, V64 weight) HWY_ATTR {
      auto at = along.inside(d, hn::Add(left, hn::Set(d, offset)), weight);
      at = hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), hn::Mul(at, stride));
      hn::StoreU(hn::DemoteTo(places, at), places, taps.place + tap * pitch + p);
      hn::StoreU(hn::DemoteTo(weights, weight), weights, taps.weight + tap * pitch + p);
    };
    const auto rest = hn::Sub(one, part);
    if (axis.taps == 2) {
      put(0, 0, rest);
      put(1, 1, part);
    } else {
      put(0, -1, far_weight(d, hn::Add(part, one)));
      put(1, 0, near_weight(d, part));
      put(2, 1, near_weight(d, rest));
      put(3, 2, far_weight(d, hn::Add(rest, one)));
    }
  }
}

void combine(const PointTaps& a, const PointTaps& b, int32_t none, const PointTaps& pairs) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto nowhere = hn::Set(di, none);
  const auto pitch = static_cast<size_t>(pairs.pitch);
  size_t to = 0;
  for (size_t i = 0; i < static_cast<size_t>(a.taps); ++i) {
    for (size_t k = 0; k < static_cast<size_t>(b.taps); ++k) {
      for (size_t p = 0; p < pitch; p += hn::Lanes(d), to += hn::Lanes(d)) {
        const size_t at_a = i * pitch + p, at_b = k * pitch + p;
        const auto weight = hn::Mul(hn::LoadU(d, a.weight + at_a), hn::LoadU(d, b.weight + at_b));
        const auto place = hn::Add(hn::LoadU(di, a.place + at_a), hn::LoadU(di, b.place + at_b));
        const auto counts = hn::RebindMask(di, hn::Ne(weight, hn::Zero(d)));
        hn::StoreU(weight, d, pairs.weight + to);
        hn::StoreU(hn::IfThenElse(counts, place, nowhere), di, pairs.place + to);
      }
    }
  }
}

void from_plane(const float* x, const PointTaps& taps, int64_t count, float* y) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto points = static_cast<size_t>(count), pitch = static_cast<size_t>(taps.pitch);
  const size_t end = pitch * static_cast<size_t>(taps.taps);
  for (size_t p = 0; p < points; p += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (size_t at = p; at < end; at += pitch) {
      const auto weight = hn::LoadU(d, taps.weight + at);
      const auto v = hn::GatherIndex(d, x, hn::LoadU(di, taps.place + at));
      sum = hn::MulAdd(weight, hn::IfThenElseZero(hn::Ne(weight, hn::Zero(d)), v), sum);
    }
    store_n(sum, d, y + p, points - p);
  }
}

void from_lanes(const float* x, const PointTaps& taps, int64_t count, const float* factors, float* y, int64_t y_step) {
  const Lanes16 d;
  constexpr size_t kLanes = 16;
  const auto points = static_cast<size_t>(count), pitch = static_cast<size_t>(taps.pitch);
  const size_t end = pitch * static_cast<size_t>(taps.taps);
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const float* own = x + lane;
    float* to = y + lane;
    for (size_t p = 0; p < points; ++p, to += y_step) {
      auto sum = hn::Zero(d);
      for (size_t at = p; at < end; at += pitch) {
        const auto element = hn::LoadU(d, own + static_cast<size_t>(taps.place[at]) * kLanes);
        sum = hn::MulAdd(hn::Set(d, taps.weight[at]), element, sum);
      }
      if (factors != nullptr) sum = hn::Mul(sum, hn::Set(d, factors[p]));
      hn::StoreU(sum, d, to);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

PointSampling point_sampling() {
  return {SDX_DISPATCH(along_axis), SDX_DISPATCH(combine), SDX_DISPATCH(from_plane), SDX_DISPATCH(from_lanes)};
}

}  // namespace sdx::ops
#endif
