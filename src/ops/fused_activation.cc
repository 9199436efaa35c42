#include "ops/fused_activation.h"

#include <cmath>
#include <limits>

namespace sdx::ops {
namespace {

using Kind = FusedActivation::Kind;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

double FusedActivation::operator()(double v) const {
  const auto a = static_cast<double>(alpha), b = static_cast<double>(beta);
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
                           {"Tanh", {Kind::tanh}}};
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    FusedActivation activation = row.activation;
    if (!parameters.empty()) activation.alpha = parameters[0];
    if (parameters.size() > 1) activation.beta = parameters[1];
    return activation;
  }
  return invalid_argument("activation is \"{}\"; Relu, LeakyRelu, Clip, HardSigmoid, Sigmoid or Tanh is wanted", name);
}

Status apply_activation_f32(KernelContext& ctx, const FusedActivation& activation, Tensor& y) {
  if (activation.is_clip()) return {};
  float* values = y.data<float>();
  return parallel_ranges(ctx, y.count(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) values[i] = static_cast<float>(activation(static_cast<double>(values[i])));
  });
}

}  // namespace sdx::ops
