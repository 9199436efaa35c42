#include "passes/activation_form.h"

#include <limits>

#include "passes/patterns.h"

namespace sdx::passes {

std::optional<ActivationForm> common_activation(const Graph& graph, const Node& node) {
  const auto number = [&](std::string_view name, float otherwise) {
    return node.attributes.get_float(name, otherwise);
  };
  if (is_op(node, "Relu") || is_op(node, "Sigmoid") || is_op(node, "Tanh")) return ActivationForm{node.op, {}};
  if (is_op(node, "LeakyRelu")) return ActivationForm{node.op, {number("alpha", 0.01f)}};
  if (is_op(node, "HardSigmoid")) return ActivationForm{node.op, {number("alpha", 0.2f), number("beta", 0.5f)}};
  if (!is_op(node, "Clip")) return std::nullopt;
  ActivationForm clip{node.op, {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()}};
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const ValueId bound = input_of(node, i + 1);
    if (bound == kNoValue) continue;
    const auto value = uniform_value(graph, bound);
    if (!value) return std::nullopt;
    clip.parameters[i] = static_cast<float>(*value);
  }
  if (!(clip.parameters[0] <= clip.parameters[1])) return std::nullopt;
  return clip;
}

std::optional<ActivationForm> any_activation(const Graph& graph, const Node& node) {
  if (is_op(node, "HardSwish") || is_op(node, "Softplus") || is_op(node, "Softsign"))
    return ActivationForm{node.op, {}};
  if (is_op(node, "Elu")) return ActivationForm{node.op, {node.attributes.get_float("alpha", 1)}};
  if (is_op(node, "Swish")) return ActivationForm{node.op, {node.attributes.get_float("alpha", 1)}};
  if (is_op(node, "QuickGelu", kContrib)) return ActivationForm{"Swish", {node.attributes.get_float("alpha", 1.702f)}};
  return common_activation(graph, node);
}

}  // namespace sdx::passes
