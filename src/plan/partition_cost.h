// What it costs to run nodes on a provider, roughly: for the partition by cost.
#pragma once

#include "providers/provider.h"

namespace sdx::plan {

struct GroupCost {
  double saved_ns = 0;   // beside the CPU, without copies; negative where the provider is slower
  double copies_ns = 0;  // across its border
};

enum class Steps : uint8_t { one, each };  // a compiled group is one step, nodes by kernels are one each

GroupCost group_cost(const Graph& graph, const std::vector<NodeId>& nodes, const providers::Provider& provider,
                     const providers::Provider& cpu, Steps steps);

}  // namespace sdx::plan
