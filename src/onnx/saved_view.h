// SavedView: a graph as it would be saved now, as a Graph: what providers are asked about. Untouched groups are the
// nodes that they came from, every node is in the form of the opset of the export. Values keep their ids.
#pragma once

#include "onnx/importer.h"

namespace sdx::onnx {

struct SavedView {
  struct Part {
    Graph* graph = nullptr;
    std::map<NodeId, std::vector<NodeId>> stands_for;  // the graph's nodes; one that is missing stands for its own id
  };
  std::unique_ptr<Graph> graph;
  std::map<const Graph*, Part> parts;  // by graph or subgraph of `imported`
};

// Fails where no opset can say a node.
Result<SavedView> make_saved_view(const Model& model, const Imported& imported);

}  // namespace sdx::onnx
