// Activations behind fused operators, over float32 in place.
#include "base/simd_targets.h"  // first

#include "ops/fused_activation.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using Kind = ops::FusedActivation::Kind;

// y = f(y) * scale + shift.
template <typename F>
void map_in_place(const ops::FusedActivation& activation, float* y, size_t count, F f) {
  const hn::ScalableTag<float> d;
  if (!activation.is_scaled()) {
    for (size_t i = 0; i < count; i += hn::Lanes(d)) store_n(f(d, load_n(d, y + i, count - i)), d, y + i, count - i);
    return;
  }
  const auto scale = hn::Set(d, activation.scale), shift = hn::Set(d, activation.shift);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto v = f(d, load_n(d, y + i, count - i));
    store_n(hn::MulAdd(v, scale, shift), d, y + i, count - i);
  }
}

// False where there is no vector form of it.
bool activate(const ops::FusedActivation& activation, float* y, size_t count) {
  const float a = activation.alpha, b = activation.beta;
  switch (activation.kind) {
    case Kind::none:
    case Kind::relu:
    case Kind::clip: {
      const float low = activation.low(), high = activation.high();
      map_in_place(activation, y, count,
                   [low, high](auto d, auto v) HWY_ATTR { return clamped(hn::Set(d, low), hn::Set(d, high), v); });
      return true;
    }
    case Kind::leaky_relu:
      map_in_place(activation, y, count, [a](auto d, auto v) HWY_ATTR {
        return hn::IfThenElse(hn::Lt(v, hn::Zero(d)), hn::Mul(v, hn::Set(d, a)), v);
      });
      return true;
    case Kind::hard_sigmoid:
      map_in_place(activation, y, count, [a, b](auto d, auto v) HWY_ATTR {
        const auto line = hn::MulAdd(v, hn::Set(d, a), hn::Set(d, b));
        return hn::IfThenElse(hn::IsNaN(v), v, hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0f)));
      });
      return true;
    case Kind::hard_swish:
      map_in_place(activation, y, count, [](auto d, auto v) HWY_ATTR {
        const auto line = hn::MulAdd(v, hn::Set(d, 1.0f / 6), hn::Set(d, 0.5f));
        return hn::Mul(v, hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0f)));
      });
      return true;
    case Kind::sigmoid:
      map_in_place(activation, y, count, [](auto d, auto v) HWY_ATTR { return sigmoid_of(d, v); });
      return true;
    case Kind::swish:
      map_in_place(activation, y, count,
                   [a](auto d, auto v) HWY_ATTR { return hn::Mul(v, sigmoid_of(d, hn::Mul(v, hn::Set(d, a)))); });
      return true;
    case Kind::tanh:
      map_in_place(activation, y, count, [](auto d, auto v) HWY_ATTR { return tanh_of(d, v); });
      return true;
    default: return false;
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

void FusedActivation::apply(float* y, size_t count) const {
  if (SDX_DISPATCH(activate)(*this, y, count)) return;
  for (size_t i = 0; i < count; ++i) y[i] = static_cast<float>((*this)(static_cast<double>(y[i])));
}

}  // namespace sdx::ops
#endif
