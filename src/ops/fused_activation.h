// The activation that com.microsoft's fused operators carry as text and numbers; our own may scale and shift behind it.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct FusedActivation {
  enum class Kind : uint8_t {
    none,
    relu,
    leaky_relu,
    thresholded_relu,
    clip,
    hard_sigmoid,
    hard_swish,
    swish,
    sigmoid,
    tanh,
    scaled_tanh,
    softplus,
    parametric_softplus,
    softsign,
    elu,
    selu,
    celu
  } kind = Kind::none;
  float alpha = 0, beta = 0, gamma = 0;
  float scale = 1, shift = 0;  // of what the function gives

  double operator()(double v) const {
    return is_scaled() ? function(v) * static_cast<double>(scale) + static_cast<double>(shift) : function(v);
  }
  double function(double v) const;           // before scale and shift
  void apply(float* y, size_t count) const;  // in place, at the SIMD level in force
  // Whether it is nothing but the clip [low(), high()].
  bool is_clip() const { return !is_scaled() && (kind == Kind::none || kind == Kind::relu || kind == Kind::clip); }
  bool is_scaled() const { return scale != 1 || shift != 0; }
  // Of a function that is a clip: its bounds, behind which it changes nothing; else infinities.
  float low() const;
  float high() const;
};

// `parameters`: what follows the name; missing ones take the operators' defaults.
Result<FusedActivation> read_activation(std::string_view name, std::span<const float> parameters);

// From the attributes `activation` and `activation_params`.
Result<FusedActivation> activation_of(const Attributes& attributes);
// Those, and `activation_scale` and `activation_shift`, which only our own operators have.
Result<FusedActivation> scaled_activation_of(const Attributes& attributes);

// y[i] = activation(y[i]) for float32.
Status apply_activation_f32(KernelContext& ctx, const FusedActivation& activation, Tensor& y);

}  // namespace sdx::ops
