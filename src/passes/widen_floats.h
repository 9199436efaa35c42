// A graph in double precision: what its floats of 16 and 32 bits would be without their own rounding. For references
// that others are compared with; no pass.
#pragma once

#include "graph/graph.h"

namespace sdx::passes {

// Every f32, f16 and bf16 value becomes f64. Inputs stay as the caller gives them, outputs do not. A node whose
// operator takes no f64, or whose attributes name a type, runs in its own types, between casts. A cast that loses
// digits still does. Fails where a sequence of floats would have to be cast.
Status widen_floats(Graph& graph);

}  // namespace sdx::passes
