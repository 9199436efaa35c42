// What patterns are written with: questions about a node and its neighbours.
#pragma once

#include "graph/graph.h"

namespace sdx::passes {

inline constexpr std::string_view kContrib = "com.microsoft";  // the domain of ONNX Runtime's fused operators
inline constexpr std::string_view kOwn = "sardonyx";           // of those that only this engine runs (decision 0008)

// Of nodes that are the CPU's: those of another provider are nothing that a pass looks for.
bool is_op(const Node& node, std::string_view op, std::string_view domain = "");
bool is_reshaping(const Node& node);  // another shape, the same elements: Reshape, Flatten, Squeeze, Unsqueeze
// The live node that makes the value, if it is of that operator; else null.
const Node* made_by(const Graph& graph, ValueId value, std::string_view op, std::string_view domain = "");
NodeId producer_of(const Graph& graph, ValueId value);  // kNoNode for inputs, weights and captures
// Input i, or kNoValue where the node has none.
ValueId input_of(const Node& node, size_t i);
std::vector<const Fact*> input_facts(const Graph& graph, const Node& node);  // null where it has none
// Nobody but one input of one node sees the value.
bool has_one_use(const Graph& graph, ValueId value);
// The only node that uses the value, if it is used once, by a node, and is no output of the graph; else kNoNode.
NodeId only_user(const Graph& graph, ValueId value);
// The nodes, and those whose outputs only they use; `kept` values stay.
std::vector<NodeId> with_what_they_alone_need(const Graph& graph, std::vector<NodeId> nodes,
                                              std::span<const ValueId> kept);
bool uses_other_outputs(const Graph& graph, const Node& node);  // than the first

// A weight that no caller can replace by feeding an input; null otherwise. Its elements may be read where it is small:
// a large one may be lazy (lazy_weights.h).
const Tensor* weight_of(const Graph& graph, ValueId value);
const Tensor* small_weight_of(const Graph& graph, ValueId value);
// The number that all elements of a weight are, exactly.
std::optional<double> uniform_value(const Graph& graph, ValueId value);
// Whether an attribute, which is a float, says the number as exactly as the type does.
bool fits_attribute(double number, DType type);
// Elements of an integer weight of rank 0 or 1.
std::optional<std::vector<int64_t>> ints_of(const Graph& graph, ValueId value);

bool same_type(const Graph& graph, ValueId a, ValueId b);
// Type and every dimension are provably the same.
bool same_type_and_dims(const Graph& graph, ValueId a, ValueId b);

}  // namespace sdx::passes
