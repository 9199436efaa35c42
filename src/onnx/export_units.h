// Units: a graph cut into what becomes one node of the file each, in an order that a file may have: the untouched groups
// as the node that they came from, all other nodes as they stand.
#pragma once

#include "onnx/first_form.h"

namespace sdx::onnx {

struct Unit {
  const FirstForm* form = nullptr;       // null: the one node as it stands
  std::vector<NodeId> nodes;             // of the graph
  std::vector<ValueId> inputs, outputs;  // of the form or the node; kNoValue where omitted

  // The node is the form, but for its opset and what the file says beside it.
  bool is_plain() const { return form == nullptr || form->wiring == nullptr; }
};

// Of `chosen` nodes, or of all. A group that is not whole is no unit.
Result<std::vector<Unit>> units_of(const Graph& graph, const FirstForms& forms, const std::vector<NodeId>* chosen);

// Values that a unit takes from outside itself, once each: inputs first, then what its subgraphs capture.
std::vector<ValueId> needs_of(const Graph& graph, const Unit& unit);

bool has_subgraphs(const NodeProto& node);

}  // namespace sdx::onnx
