// Nodes of a graph as steps of a fused elementwise operator (ops/math/elementwise_program.h).
#pragma once

#include <span>

#include "graph/graph.h"

namespace sdx::passes {

// Whether a step or two say what the node does, in float32.
bool elementwise_of(const Graph& graph, NodeId node);

struct ElementwiseSteps {
  std::vector<ValueId> inputs;          // i0, i1, ... of the steps
  std::vector<std::string> texts = {};  // the attribute `steps`
};
// The first of `nodes` makes the result, the others what it needs. `first`: what i0 is, kNoValue for any. Nullopt where
// a program may not be so long.
std::optional<ElementwiseSteps> program_of(const Graph& graph, std::span<const NodeId> nodes, ValueId first = kNoValue);

}  // namespace sdx::passes
