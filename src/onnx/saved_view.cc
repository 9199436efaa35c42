#include "onnx/saved_view.h"

#include "onnx/export_plan.h"
#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

class Viewer {
 public:
  Viewer(const Model& model, const Imported& imported)
      : model_(model), imported_(imported), speller_(model, imported) {}

  Result<SavedView> run() {
    SDX_ASSIGN(plan_, make_export_plan(model_, imported_, speller_, nullptr, 0));
    view_.graph = std::make_unique<Graph>(imported_.graph);
    pair_up(imported_.graph, *view_.graph);
    for (const auto& [graph, planned] : plan_.graphs) {
      const auto part = view_.parts.find(graph);
      if (part == view_.parts.end()) continue;
      for (const Unit& unit : planned.units) SDX_TRY(show(*graph, unit, part->second));
    }
    return std::move(view_);
  }

 private:
  void pair_up(const Graph& graph, Graph& copy) {
    view_.parts[&graph].graph = &copy;
    for (NodeId id = 0; id < graph.node_slots(); ++id) {
      std::vector<Graph*> inner;
      for_each_subgraph(copy.node(id), [&](Graph& one, const std::string&) { inner.push_back(&one); });
      size_t next = 0;
      for_each_subgraph(graph.node(id), [&](const Graph& one, const std::string&) { pair_up(one, *inner[next++]); });
    }
  }

  int64_t opset_of(const std::string& domain) const {
    const auto planned = plan_.opsets.find(domain);
    return planned == plan_.opsets.end() ? 1 : planned->second;
  }

  Status show(const Graph& graph, const Unit& unit, SavedView::Part& part) {
    const auto spelling = speller_.spell(graph, unit, plan_.opsets);
    if (!spelling) return {};
    if (spelling->scratch != nullptr) {
      show_scratch(unit, *spelling, part);
      return {};
    }
    if (spelling->as_first && !unit.is_plain()) {
      const bool is_shown = !unit.form->is_call() && !has_subgraphs(*unit.form->node);
      return is_shown ? show_first(graph, unit, part) : Status();
    }
    for (const NodeId id : unit.nodes) {
      Node& node = part.graph->node(id);
      node.opset = static_cast<int>(spelling->as_first ? unit.form->opset : opset_of(node.domain));
    }
    return {};
  }

  // The model's own node, which became several, or one of another form.
  Status show_first(const Graph& graph, const Unit& unit, SavedView::Part& part) {
    const NodeProto& first = *unit.form->node;
    Node node;
    node.domain = canonical_domain(first.domain);
    node.op = first.op_type;
    node.name = first.name;
    node.origins = graph.node(unit.nodes[0]).origins;
    node.opset = unit.form->opset;
    node.inputs = unit.inputs;
    node.outputs = unit.outputs;
    for (const AttributeProto& attribute : first.attribute) {
      SDX_ASSIGN(Attribute made, attribute_from_proto(attribute, model_, part.graph->symbols()));
      node.attributes.list().push_back(std::move(made));
    }
    std::vector<Node> nodes;
    nodes.push_back(std::move(node));
    replace(unit, std::move(nodes), part);
    return {};
  }

  // The nodes that the model's node becomes at a later opset.
  void show_scratch(const Unit& unit, const Spelling& spelling, SavedView::Part& part) {
    const Graph& scratch = *spelling.scratch;
    std::map<ValueId, ValueId> values{{kNoValue, kNoValue}};
    for (size_t i = 0; i < unit.inputs.size(); ++i) values[spelling.inputs[i]] = unit.inputs[i];
    for (size_t i = 0; i < unit.outputs.size(); ++i) values[spelling.outputs[i]] = unit.outputs[i];
    const auto value_of = [&](ValueId value) {
      const auto [known, fresh] = values.emplace(value, kNoValue);
      if (!fresh) return known->second;
      const ValueInfo& info = scratch.value(value);
      known->second = info.is_initializer ? part.graph->add_initializer(info.name, info.fact.constant)
                                          : part.graph->add_value(info.name, info.fact);
      return known->second;
    };
    std::vector<Node> nodes;
    for (NodeId id = 0; id < scratch.node_slots(); ++id) {
      Node node = scratch.node(id);
      node.opset = static_cast<int>(opset_of(node.domain));
      for (auto* list : {&node.inputs, &node.outputs})
        for (ValueId& value : *list) value = value_of(value);
      nodes.push_back(std::move(node));
    }
    replace(unit, std::move(nodes), part);
  }

  static void replace(const Unit& unit, std::vector<Node> nodes, SavedView::Part& part) {
    Graph& graph = *part.graph;
    std::vector<ValueId> used;
    for (const NodeId id : unit.nodes) {
      const Node& gone = graph.node(id);
      used.insert(used.end(), gone.inputs.begin(), gone.inputs.end());
      graph.remove_node(id);
    }
    bool is_first = true;
    for (Node& node : nodes) {
      NodeId made = unit.nodes[0];
      if (is_first) graph.refill_node(made, std::move(node));
      if (!is_first) made = graph.add_node(std::move(node));
      is_first = false;
      part.stands_for[made] = unit.nodes;
    }
    for (const ValueId value : used) {  // weights that the first form has as attributes
      if (value == kNoValue) continue;
      const ValueInfo& info = graph.value(value);
      if (info.is_initializer && !info.is_input && !info.is_output && info.users.empty()) graph.drop_initializer(value);
    }
  }

  const Model& model_;
  const Imported& imported_;
  Speller speller_;
  ExportPlan plan_;
  SavedView view_;
};

}  // namespace

Result<SavedView> make_saved_view(const Model& model, const Imported& imported) {
  return Viewer(model, imported).run();
}

}  // namespace sdx::onnx
