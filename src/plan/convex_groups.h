// Convex groups: sets of nodes that can become one step, because no path leaves a set and comes back to it, not even
// through the other sets.
#pragma once

#include "graph/graph.h"

namespace sdx::plan {

// Cuts the nodes that are `taken` (by node id) into groups that hang together, as large as can be: no two with an edge
// between them could be one. Nodes with the same number in `tied` (by node id; 0: none; may be empty) stay together.
// Groups, and the nodes of each, are in the order of `order`, which is the graph's.
std::vector<std::vector<NodeId>> convex_groups(const Graph& graph, const std::vector<NodeId>& order,
                                               const std::vector<bool>& taken, const std::vector<uint32_t>& tied = {});

}  // namespace sdx::plan
