// At which opset a unit can be said, and in which nodes. An untouched group can be said at the opset of the model's node,
// and rewritten step by step at each one above; any other node where an older version of its operator, rewritten into the
// newest, gives that very node.
#pragma once

#include <memory>

#include "onnx/export_units.h"
#include "onnx/importer.h"

namespace sdx::onnx {

using Opsets = std::map<std::string, int64_t>;

// A unit at an opset: the form as the file has it but for its names, or the nodes of a scratch graph, or else the nodes of
// the unit's own graph.
struct Spelling {
  bool as_first = false;
  std::unique_ptr<Graph> scratch;
  std::vector<ValueId> inputs, outputs;  // of the scratch graph: what stands for those of the unit
};

// Of the domain that the unit is written in.
std::string domain_of(const Graph& graph, const Unit& unit);

class Speller {
 public:
  Speller(const Model& model, const Imported& imported) : model_(model), imported_(imported) {}

  // Nullopt where the opsets do not do.
  std::optional<Spelling> spell(const Graph& graph, const Unit& unit, const Opsets& opsets);

 private:
  bool says(const Graph& graph, const Node& node, const Opsets& opsets);
  std::optional<Spelling> rewritten(const Graph& graph, const Unit& unit, const Opsets& opsets);
  std::unique_ptr<Graph> new_scratch();

  const Model& model_;
  const Imported& imported_;
  std::optional<SymbolTable> symbols_;  // of the scratch graphs: the real one belongs to whoever runs the graph
};

}  // namespace sdx::onnx
