// The activations that fused operators carry as a name and numbers (ops/fused_activation.h).
#pragma once

#include <optional>

#include "graph/graph.h"

namespace sdx::passes {

struct ActivationForm {
  std::string name;
  std::vector<float> parameters;
};

// A node that is one of those that onnxruntime's fused operators know; nullopt: it is none.
std::optional<ActivationForm> common_activation(const Graph& graph, const Node& node);
// Those, and the others that BlockedConv knows.
std::optional<ActivationForm> any_activation(const Graph& graph, const Node& node);

}  // namespace sdx::passes
