// Partition: which provider runs which node. Providers are asked in order of priority; what one refuses goes to the
// next, and the CPU, which is the last, has the rest. Groups that a provider compiles become one node each.
#pragma once

#include <map>

#include "plan/compiled_group.h"

namespace sdx::plan {

using ProviderList = std::span<const providers::Provider* const>;  // in order of priority, the CPU last

// A graph as claims see it: values have the same ids; a node stands for that of its id, or for those listed.
struct ClaimView {
  Graph* graph = nullptr;
  std::map<NodeId, std::vector<NodeId>> stands_for;
};

struct PartitionOptions {
  bool by_cost = false;         // groups whose copies cost more than they save are given back
  bool keeps_verdicts = false;  // for explanations
  bool assigns_only = false;    // nodes get their provider, and nothing is compiled: for export
  const WeightSource* weights = nullptr;
  std::map<const Graph*, ClaimView>* views = nullptr;  // by graph of the model; one that is missing is its own view
};

struct Refusal {
  std::string provider, reason;
};

// Where a node of the graph went, before later passes, and who refused it.
struct Placement {
  std::string node, op, domain, graph;  // label; graph: "body of loop (Loop)", empty for the model's own
  std::vector<std::string> origins;
  std::string provider;
  std::optional<size_t> group;  // compiled with others into this one
  std::vector<Refusal> refusals;
};

struct Partition {
  std::vector<std::unique_ptr<CompiledGroup>> groups;
  std::vector<Placement> placements;  // where verdicts are kept
};

// Sets Node::provider, in subgraphs too: empty is the CPU. Nothing is asked where the CPU is alone.
Status partition(Graph& graph, ProviderList providers, const PartitionOptions& options, Partition& made);

const providers::Provider& provider_of(const Node& node, ProviderList providers);
// By kernel; what the shape rule must read is among the inputs.
providers::HostOperands host_operands(const providers::Provider& provider, const ops::Contract& contract,
                                      const NodeFacts& facts);

}  // namespace sdx::plan
