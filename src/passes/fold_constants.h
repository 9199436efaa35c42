// Constant folding: nodes whose inputs are all known are computed once, at load.
#pragma once

#include "graph/graph.h"

namespace sdx::passes {

inline constexpr size_t kMaxGrowth = 1 << 20;  // bytes that a result may have beyond those of its inputs

// Folds the graph's own nodes, subgraphs' not. Keeps what draws random numbers, makes no tensors, fails (the run says
// so), or would grow by more than kMaxGrowth. Returns how many nodes went.
// The value of a folded node is that of its operator's CPU kernel, or reference where there is none.
Result<int> fold_constants(Graph& graph);

}  // namespace sdx::passes
