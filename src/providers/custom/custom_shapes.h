// The shape inference of a custom operator.
#pragma once

#include "graph/graph.h"
#include "onnxruntime_c_api.h"

namespace sdx::providers {

// Asks the operator, where it is new enough to answer; what it leaves out stays in `outputs`. A dimension of -1 with a
// name is that symbol, or that expression of symbols; without one nothing is known of it.
Status infer_custom_shapes(const OrtCustomOp& op, const OrtApi& api, const Node& node,
                           std::span<const Fact* const> inputs, SymbolTable& symbols, std::span<Fact> outputs);

}  // namespace sdx::providers
