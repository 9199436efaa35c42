// Shape and type inference over a graph: each node's contract, in topological order, subgraphs included.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Re-inference of nested loop bodies multiplies; past the budget a subgraph's outputs keep their types and lose their
// shapes.
struct InferenceBudget {
  int64_t node_inferences = 10'000'000;
};

// Sets the facts of the node's outputs. Unknown operators keep what is declared. Errors carry the node's label.
Status infer_node(Graph& graph, NodeId id, InferenceBudget& budget);

// All nodes. The facts of inputs, initializers and captures are as they stand.
Status infer_graph(Graph& graph, InferenceBudget& budget);

}  // namespace sdx::ops
