// What the standard says of a node, checked against the node. `graph` gives the facts of its values.
#pragma once

#include "graph/graph.h"
#include "ops/op_facts.h"

namespace sdx::onnx {

bool is_standard_domain(std::string_view domain);
int newest_opset(std::string_view domain);  // of a standard one

// What the standard says at the node's opset. Files have operators that are younger than their opset: the first form of
// those is meant. Null: the standard has no such operator.
const ops::OpFacts* facts_at_or_after(const Node& node);

// Arity, attributes, types of the inputs.
Status check_schema(const Graph& graph, const Node& node, const ops::OpFacts& facts);
// And the types of the outputs, once they are inferred.
Status check_schema_and_outputs(const Graph& graph, const Node& node, const ops::OpFacts& facts);

}  // namespace sdx::onnx
