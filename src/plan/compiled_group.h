// CompiledGroup: nodes that a provider has compiled, as they were, and the one node of the graph that stands for them.
#pragma once

#include "ops/invoke.h"
#include "plan/engine_nodes.h"
#include "plan/weight_store.h"

namespace sdx::plan {

struct CompiledGroup {
  Graph graph;  // with symbols of its own
  std::shared_ptr<const providers::Executable> executable;
  providers::HostOperands host;
  bool infers_again = false;  // a shape rule inside must see the numbers of each new shape
};

// A graph of its own of the nodes, which stay: what they use and do not make are its inputs, what others use of theirs
// its outputs. Weights go along, with their elements.
struct Extracted {
  Graph graph;
  std::vector<ValueId> inputs, outputs;  // of the graph that the nodes are in
};
Result<Extracted> extract(const Graph& graph, const std::vector<NodeId>& nodes, const WeightSource* weights);

// The nodes go; one that names the group by `index` comes. Returns it.
NodeId replace_by_group(Graph& graph, const std::vector<NodeId>& nodes, const Extracted& extracted,
                        std::string_view provider, size_t index);
size_t group_index(const Node& node);  // of a node that stands for a group

// Whether a node's outputs are all weights: it never runs.
bool is_folded(const Graph& graph, const Node& node);

// Types and shapes of the outputs for what is known of the inputs (null: nothing); a shape that only data decide is not
// known.
Result<std::vector<OutputSpec>> infer_group(const Graph& group, std::span<const Fact* const> inputs);

}  // namespace sdx::plan
