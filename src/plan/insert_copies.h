// Copies between memories: a step that reads a value made in another memory than its own reads a copy.
#pragma once

#include "plan/partition.h"

namespace sdx::plan {

// After all passes, over the graph and its subgraphs. A value is copied once into each memory that needs it; inputs,
// outputs and captures of graphs lie in the CPU's. Weights are not the graph's matter: a plan copies them once
// (Constant::memory). Returns how many copies there are.
size_t insert_copies(Graph& graph, ProviderList providers, const Partition& partition);

// Which operands of a node lie in the CPU's memory, if it is run by a provider with memory of its own.
providers::HostOperands host_operands_of(const Graph& graph, const Node& node, const providers::Provider& provider,
                                         const Partition& partition);

}  // namespace sdx::plan
