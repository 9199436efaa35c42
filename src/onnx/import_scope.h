// The import of one graph: names in scope, nodes in order, subgraphs below it. Used by importer.cc alone.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "onnx/importer.h"
#include "ops/graph_inference.h"

namespace sdx::onnx {

using Opsets = std::map<std::string, int64_t>;

// What all scopes of one import share.
struct ImportState {
  const Model& model;
  const ImportOptions& options;
  FirstForms& forms;
  std::map<std::string, const FunctionProto*> functions;  // by "domain:name:overload"
  std::vector<std::string> warnings;
  std::set<std::string> contradicted;
  std::set<AtomId> input_symbols;  // in the shapes of the model's inputs
  ops::InferenceBudget budget;
  int64_t nodes = 0;
};

// Names of a graph, or of a function's body that is being inlined into one.
class Scope {
 public:
  // `outer` (may be null) is where a name is looked up that is not defined here: the graph that encloses a subgraph.
  Scope(ImportState& state, Graph& graph, const Opsets& opsets, Scope* outer)
      : state_(state), graph_(graph), opsets_(opsets), outer_(outer) {}

  // A whole graph: initializers, inputs, nodes, outputs.
  Status import_graph(const GraphProto& proto);

  // For the body of a function: `names` are its inputs (and outputs, already made by the caller), `attributes` what the
  // call gives.
  struct Call {
    const FunctionProto* function = nullptr;
    const Node* caller = nullptr;
    std::string prefix;  // for the names of values and nodes inside
    int depth = 0;
    GroupId group = 0;
  };
  Status import_body(const Call& call, const std::map<std::string, ValueId>& inputs,
                     const std::map<std::string, ValueId>& outputs);

 private:
  struct Pending;  // a node that is being built

  std::optional<ValueId> resolve(const std::string& name);
  Status define(const std::string& name, ValueId id);
  Result<ValueId> output_value(Text name);
  Status add_inputs(const GraphProto& proto);
  Status add_initializers(const GraphProto& proto);
  void note_declared(const GraphProto& proto);
  Status add_outputs(const GraphProto& proto);
  bool clash(const Dim& found, const Dim& said) const;
  Status check_declared(const ValueInfo& value) const;

  Status import_nodes(const std::vector<NodeProto>& nodes);
  Result<std::vector<size_t>> sorted(const std::vector<NodeProto>& nodes) const;
  Status import_node(const NodeProto& proto);
  void give_values_to_required_outputs(Node& node, const ops::OpFacts* facts);
  Result<Attribute> convert_attribute(const AttributeProto& proto, Node& node);
  Result<Attribute> convert_subgraphs(const AttributeProto& proto, Node& node);
  Status inline_call(const FunctionProto& function, Node node);
  Status add_upgraded(Node node, const ops::OpFacts* facts);
  void keep_first_form(GroupId group, size_t first_node, std::unique_ptr<GroupWiring> wiring);
  Status add_inferred(Node node);
  Status give_types_to_opaque(NodeId id);

  ImportState& state_;
  Graph& graph_;
  const Opsets& opsets_;
  Scope* outer_;
  Call call_;
  std::unordered_map<std::string, ValueId> names_;
  std::unordered_map<std::string, const ValueInfoProto*> declared_;
  std::unordered_set<std::string> output_names_;
};

}  // namespace sdx::onnx
