// Constant folding: nodes whose inputs are all known are computed once, at load.
#pragma once

#include "graph/graph.h"

namespace sdx::passes {

// Folds the graph's own nodes, subgraphs' not. Keeps what draws random numbers, makes no tensors, fails (the run says
// so), or would make more than `kMaxGrowth` bytes out of less. Returns how many nodes went.
// The value of a folded node is that of its operator's CPU kernel, or reference where there is none.
Result<int> fold_constants(Graph& graph);

}  // namespace sdx::passes
