#include "ops/fused_activation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace sdx::ops {
namespace {

using Kind = FusedActivation::Kind;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// log(1 + e^v) without overflow.
double softplus(double v) { return std::max(v, 0.0) + std::log1p(std::exp(-std::fabs(v))); }

}  // namespace

double FusedActivation::function(double v) const {
  const auto a = static_cast<double>(alpha), b = static_cast<double>(beta), g = static_cast<double>(gamma);
  switch (kind) {
    case Kind::none: return v;
    case Kind::relu: return v < 0 ? 0 : v;
    case Kind::leaky_relu: return v < 0 ? a * v : v;
    case Kind::clip: return v < a ? a : v > b ? b : v;
    case Kind::hard_sigmoid: {
      const double line = a * v + b;
      return line < 0 ? 0 : line > 1 ? 1 : line;
    }
    case Kind::sigmoid: return 1 / (1 + std::exp(-v));
    case Kind::tanh: return std::tanh(v);
    case Kind::thresholded_relu: return v > a ? v : std::isnan(v) ? v : 0;
    case Kind::hard_swish: return v * std::clamp(v / 6 + 0.5, 0.0, 1.0);
    case Kind::swish: return v / (1 + std::exp(-a * v));
    case Kind::scaled_tanh: return a * std::tanh(b * v);
    case Kind::softplus: return softplus(v);
    case Kind::parametric_softplus: return a * softplus(b * v);
    case Kind::softsign: return v / (1 + std::fabs(v));
    case Kind::elu: return v < 0 ? a * std::expm1(v) : v;
    case Kind::selu: return g * (v < 0 ? a * std::expm1(v) : v);
    case Kind::celu: return v < 0 ? a * std::expm1(v / a) : v;
  }
  return v;
}

float FusedActivation::low() const { return kind == Kind::relu ? 0 : kind == Kind::clip ? alpha : -kInfinity; }
float FusedActivation::high() const { return kind == Kind::clip ? beta : kInfinity; }

Result<FusedActivation> read_activation(std::string_view name, std::span<const float> parameters) {
  struct Row {
    std::string_view name;
    FusedActivation activation;
  };
  constexpr float kLowest = std::numeric_limits<float>::lowest(), kLargest = std::numeric_limits<float>::max();
  constexpr Row kRows[] = {{"", {}},
                           {"Relu", {Kind::relu}},
                           {"LeakyRelu", {Kind::leaky_relu, 0.01f}},
                           {"Clip", {Kind::clip, kLowest, kLargest}},
                           {"HardSigmoid", {Kind::hard_sigmoid, 0.2f, 0.5f}},
                           {"Sigmoid", {Kind::sigmoid}},
                           {"Tanh", {Kind::tanh}},
                           {"ThresholdedRelu", {Kind::thresholded_relu, 1}},
                           {"HardSwish", {Kind::hard_swish}},
                           {"Swish", {Kind::swish, 1}},
                           {"ScaledTanh", {Kind::scaled_tanh, 1, 1}},
                           {"Softplus", {Kind::softplus}},
                           {"ParametricSoftplus", {Kind::parametric_softplus, 1, 1}},
                           {"Softsign", {Kind::softsign}},
                           {"Elu", {Kind::elu, 1}},
                           {"Selu", {Kind::selu, 1.67326319217681884765625f, 0, 1.05070102214813232421875f}},
                           {"Celu", {Kind::celu, 1}}};
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    FusedActivation activation = row.activation;
    if (!parameters.empty()) activation.alpha = parameters[0];
    if (parameters.size() > 1) activation.beta = parameters[1];
    if (parameters.size() > 2) activation.gamma = parameters[2];
    return activation;
  }
  std::string known;
  for (const Row& row : kRows) known.append(known.empty() ? "" : ", ").append(row.name);
  return invalid_argument("activation is \"{}\"; one of {} is wanted", name, known);
}

Result<FusedActivation> activation_of(const Attributes& attributes) {
  return read_activation(attributes.get_string("activation", ""), attributes.get_floats("activation_params"));
}

Result<FusedActivation> scaled_activation_of(const Attributes& attributes) {
  SDX_ASSIGN(FusedActivation activation, activation_of(attributes));
  activation.scale = attributes.get_float("activation_scale", 1);
  activation.shift = attributes.get_float("activation_shift", 0);
  return activation;
}

Status apply_activation_f32(KernelContext& ctx, const FusedActivation& activation, Tensor& y) {
  if (activation.kind == FusedActivation::Kind::none && !activation.is_scaled()) return {};
  float* values = y.data<float>();
  return parallel_ranges(ctx, y.count(), 4096, [&](int64_t begin, int64_t end) {
    activation.apply(values + begin, static_cast<size_t>(end - begin));
  });
}

}  // namespace sdx::ops
