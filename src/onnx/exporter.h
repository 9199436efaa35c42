// Exporter: a graph, or some of its nodes, as a model again: at the model's own opset where every node can be said there,
// else at the lowest one above it that says them all. Untouched groups go out as the nodes they came from. Names, order
// and everything the file said beside the graph are kept; the same graph gives the same bytes.
#pragma once

#include "onnx/importer.h"

namespace sdx::onnx {

struct ExportOptions {
  // Only these nodes of the graph, as a graph of their own: its inputs are the values that they use and do not make, its
  // outputs those that are used elsewhere. Weights go with them. Nothing: the whole graph.
  std::optional<std::vector<NodeId>> nodes;
  // Not below this opset of ai.onnx. 0: the model's own.
  int least_opset = 0;
};

struct Exported {
  ModelProto proto;                       // ready for writer.h, which also moves weights to an external file
  std::map<std::string, int64_t> opsets;  // by canonical domain
  std::shared_ptr<void> kept;             // with the Model: what `proto` points into
};

// `imported` was made from `model`, and may have been worked on since. Errors name the node that no opset can say.
Result<Exported> export_model(const Model& model, const Imported& imported, const ExportOptions& options = {});

}  // namespace sdx::onnx
