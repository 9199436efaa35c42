// One planned graph as a message, with the subgraphs below it.
#pragma once

#include <unordered_set>

#include "onnx/export_message.h"
#include "onnx/export_plan.h"

namespace sdx::onnx {

// What all graphs of one export share.
struct ExportState {
  const Model& model;
  const Imported& imported;
  const ExportPlan& plan;
  Speller& speller;
  Keeper& keeper;
  std::unordered_set<std::string> model_node_names{};  // of the model's own nodes; they may repeat
  std::unordered_set<std::string> made_node_names{};   // of others; they do not
  std::vector<const FunctionProto*> functions{};       // that are called, each once
  std::unordered_set<std::string> domains_used{};
};

using Names = std::unordered_set<std::string>;

class GraphWriter {
 public:
  // `outer`: the names that are taken around it. `capture_names`: by what name each of its captures is known there.
  GraphWriter(ExportState& state, const Graph& graph, const Names* outer, const std::vector<std::string>& capture_names);

  // `is_part`: only some of the graph's nodes go out, with inputs and outputs of their own.
  enum class Extent : uint8_t { whole, part };
  Result<GraphProto> write(Extent extent);

 private:
  void name_values(const Names* outer, const std::vector<std::string>& capture_names);
  std::string fresh(const std::string& wanted);
  Text text(ValueId value) { return state_.keeper.text(names_[value]); }

  void find_needs();
  std::vector<ValueId> part_inputs() const;
  std::vector<ValueId> part_outputs() const;
  Status write_interface(const std::vector<ValueId>& values, const std::vector<ValueInfoProto>* said,
                         std::vector<ValueInfoProto>& out);
  void write_constants();
  void write_value_info(ValueId value);

  Status write_unit(const Unit& unit);
  Status write_first(const Unit& unit);
  Status write_nodes(const Unit& unit, const Spelling& spelling);
  Result<AttributeProto> first_attribute(const AttributeProto& attribute, const Unit& unit);
  Result<AttributeProto> graph_attribute(const Attribute& attribute);
  Result<GraphProto> write_subgraph(const Graph& inner);
  Text node_name(const std::string& wanted);
  void note_use(const NodeProto& node);
  void note_call(const NodeProto& node);

  ExportState& state_;
  const Graph& graph_;
  const GraphPlan& plan_;
  std::vector<std::string> names_;  // by value
  Names taken_;                     // here and around
  std::vector<bool> made_, needed_;
  std::vector<ValueId> needs_;  // in order
  GraphProto proto_;
};

}  // namespace sdx::onnx
