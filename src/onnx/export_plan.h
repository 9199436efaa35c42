// What an export writes: the units of the graph and of every subgraph below it, and the opsets that say them all.
#pragma once

#include "onnx/export_opset.h"

namespace sdx::onnx {

struct GraphPlan {
  const GraphProto* source = nullptr;  // what it was made from; null: unknown
  std::vector<Unit> units;
};

struct ExportPlan {
  std::map<const Graph*, GraphPlan> graphs;
  Opsets opsets;  // of what is used
};

Result<ExportPlan> make_export_plan(const Model& model, const Imported& imported, Speller& speller,
                                    const std::vector<NodeId>* chosen, int least_opset);

// Calls f(node) for the nodes that a unit goes out as, when it does not as the form of the file.
template <typename F>
void for_each_written_node(const Graph& graph, const Unit& unit, const Spelling& spelling, F f) {
  if (spelling.as_first) return;
  if (spelling.scratch == nullptr) {
    for (const NodeId id : unit.nodes) f(graph.node(id));
    return;
  }
  for (NodeId id = 0; id < spelling.scratch->node_slots(); ++id) f(spelling.scratch->node(id));
}

// Calls f(attribute name, which one of several, subgraph) for what goes out as a graph of its own: all subgraphs but those
// of groups that go out as they stand in the file.
template <typename F>
void for_each_written_subgraph(const Graph& graph, const Unit& unit, F f) {
  if (unit.form != nullptr && unit.form->is_call()) return;
  for (const NodeId id : unit.nodes) {
    std::string last;
    size_t index = 0;
    for_each_subgraph(graph.node(id), [&](const Graph& inner, const std::string& attribute) {
      index = attribute == last ? index + 1 : 0;
      last = attribute;
      f(attribute, index, inner);
    });
  }
}

}  // namespace sdx::onnx
