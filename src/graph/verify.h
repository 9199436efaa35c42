// The verifier: names what is wrong with a graph. Run after import and after every pass.
#pragma once

#include "graph/graph.h"

namespace sdx {

// Ids, producers, users, captures, unique names, order; subgraphs included. INVALID_GRAPH naming the node or value.
Status verify(const Graph& graph);

}  // namespace sdx
