#include "onnx/export_plan.h"

#include <algorithm>

#include "onnx/check_schema.h"
#include "onnx/import_types.h"

namespace sdx::onnx {
namespace {

const GraphProto* subgraph_source(const Unit& unit, const std::string& attribute, size_t index) {
  if (unit.form == nullptr) return nullptr;
  for (const AttributeProto& proto : unit.form->node->attribute) {
    if (proto.name != attribute) continue;
    if (proto.g) return proto.g.get();
    return index < proto.graphs.size() ? &proto.graphs[index] : nullptr;
  }
  return nullptr;
}

class Planner {
 public:
  Planner(const Imported& imported, Speller& speller, int least_opset)
      : imported_(imported), speller_(speller), least_opset_(least_opset) {}

  Status cut(const Graph& graph, const GraphProto* source, const std::vector<NodeId>* chosen) {
    SDX_ASSIGN(std::vector<Unit> units, units_of(graph, imported_.forms, chosen));
    Status status;
    for (const Unit& unit : units)
      for_each_written_subgraph(graph, unit, [&](const std::string& attribute, size_t index, const Graph& inner) {
        if (status.ok()) status = cut(inner, subgraph_source(unit, attribute, index), nullptr);
      });
    plan_.graphs[&graph] = {source, std::move(units)};
    return status;
  }

  // Raises opsets until everything can be said.
  Status choose_opsets(const Graph& graph) {
    note_domains(graph);
    while (true) {
      const Opsets before = plan_.opsets;
      SDX_TRY(raise(graph));
      if (plan_.opsets == before) return {};
    }
  }

  ExportPlan take() { return std::move(plan_); }

 private:
  void note_domain(const std::string& domain) {
    const auto own = imported_.opsets.find(domain);
    const int64_t least = domain.empty() ? std::max(least_opset_, 1) : 1;
    plan_.opsets.emplace(domain, own == imported_.opsets.end() ? least : std::max(own->second, least));
  }
  void note_domains(const Graph& graph) {
    for (const Unit& unit : plan_.graphs.at(&graph).units) {
      note_domain(domain_of(graph, unit));
      for_each_written_subgraph(graph, unit,
                                [&](const std::string&, size_t, const Graph& inner) { note_domains(inner); });
    }
  }

  Status raise(const Graph& graph) {
    for (const Unit& unit : plan_.graphs.at(&graph).units) {
      const std::string domain = domain_of(graph, unit);
      const int64_t own = plan_.opsets.at(domain);
      std::optional<Spelling> spelling;
      while (!(spelling = speller_.spell(graph, unit, plan_.opsets))) {
        if (++plan_.opsets.at(domain) > newest_opset(domain))
          return invalid_graph("{}: no opset from {} on can say it", graph.node(unit.nodes[0]).label(), own);
      }
      for_each_written_node(graph, unit, *spelling, [&](const Node& node) { note_domain(node.domain); });  // of helpers
      if (spelling->as_first && !unit.is_plain()) continue;
      Status status;
      for_each_written_subgraph(graph, unit, [&](const std::string&, size_t, const Graph& inner) {
        if (status.ok()) status = raise(inner);
      });
      SDX_TRY(std::move(status));
    }
    return {};
  }

  const Imported& imported_;
  Speller& speller_;
  int least_opset_;
  ExportPlan plan_;
};

}  // namespace

Result<ExportPlan> make_export_plan(const Model& model, const Imported& imported, Speller& speller,
                                    const std::vector<NodeId>* chosen, int least_opset) {
  Planner planner(imported, speller, least_opset);
  SDX_TRY(planner.cut(imported.graph, chosen == nullptr ? model.proto.graph.get() : nullptr, chosen));
  SDX_TRY(planner.choose_opsets(imported.graph));
  return planner.take();
}

}  // namespace sdx::onnx
