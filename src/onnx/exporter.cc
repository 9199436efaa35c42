#include "onnx/exporter.h"

#include <algorithm>
#include <set>

#include "onnx/check_schema.h"
#include "onnx/export_graph.h"
#include "onnx/import_types.h"
#include "onnx/proto_walk.h"

namespace sdx::onnx {
namespace {

constexpr int kIrWithFreeInitializers = 4;  // that need not be inputs
constexpr int kIrWithFunctions = 8;

// The IR version that was current when an opset of ai.onnx came out.
int ir_version_of_opset(int64_t opset) {
  static constexpr std::pair<int, int> kFirst[] = {{28, 14}, {26, 13}, {25, 13}, {24, 12}, {23, 11}, {21, 10},
                                                   {19, 9},  {15, 8},  {12, 7},  {11, 6},  {10, 5},  {9, 4}};
  for (const auto& [from, ir] : kFirst)
    if (opset >= from) return ir;
  return 3;
}

// What messages point into, beside the model.
struct Kept {
  Keeper keeper;
  std::vector<std::shared_ptr<void>> owners;
};

void note_node_names(const GraphProto& graph, std::unordered_set<std::string>& names) {
  for_each_message<NodeProto>(graph, [&](const NodeProto& node) { names.emplace(node.name); });
}

// Whether every weight that goes out was among the inputs of the model.
bool listed_its_weights(const GraphProto& source, const GraphProto& graph) {
  size_t count = 0;
  for_each_message<GraphProto>(graph, [&](const GraphProto& inner) { count += inner.initializer.size(); });
  return count == graph.initializer.size() && graph.sparse_initializer.empty() &&
         std::ranges::all_of(graph.initializer, [&](const TensorProto& tensor) {
           return std::ranges::find(source.input, tensor.name, &ValueInfoProto::name) != source.input.end();
         });
}

// Before IR version 4 weights are among the inputs. They are again where they were.
void list_weights_as_inputs(const GraphProto& source, GraphProto& graph) {
  std::vector<ValueInfoProto> inputs;
  for (const ValueInfoProto& before : source.input) {
    const auto known = std::ranges::find(graph.input, before.name, &ValueInfoProto::name);
    if (known != graph.input.end()) {
      inputs.push_back(*known);
    } else if (std::ranges::find(graph.initializer, before.name, &TensorProto::name) != graph.initializer.end()) {
      inputs.push_back(before);
    }
  }
  graph.input = std::move(inputs);
}

class ModelWriter {
 public:
  ModelWriter(const Model& model, const Imported& imported, const ExportOptions& options)
      : model_(model), imported_(imported), options_(options), speller_(model, imported) {}

  Result<Exported> write() {
    const auto* chosen = options_.nodes ? &*options_.nodes : nullptr;
    SDX_TRY(check_options());
    SDX_ASSIGN(const ExportPlan plan, make_export_plan(model_, imported_, speller_, chosen, options_.least_opset));
    ExportState state{model_, imported_, plan, speller_, kept_->keeper};
    if (model_.proto.graph) note_node_names(*model_.proto.graph, state.model_node_names);
    GraphWriter writer(state, imported_.graph, nullptr, capture_names());
    ModelProto& proto = exported_.proto;
    copy_header();
    SDX_ASSIGN(proto.graph.make(),
               writer.write(chosen != nullptr ? GraphWriter::Extent::part : GraphWriter::Extent::whole));
    for (const FunctionProto& function : model_.proto.functions)
      if (std::ranges::find(state.functions, &function) != state.functions.end()) proto.functions.push_back(function);
    import_opsets(state, plan);
    set_ir_version();
    SDX_TRY(bring_external_data_inside(model_, exported_.proto, kept_->owners));
    exported_.kept = std::move(kept_);
    return std::move(exported_);
  }

 private:
  Status check_options() const {
    if (options_.least_opset < 0 || options_.least_opset > kNewestOpset)
      return invalid_argument("opset {} is not known: 1 to {} are", options_.least_opset, kNewestOpset);
    if (!options_.nodes) return {};
    if (options_.nodes->empty()) return invalid_argument("no node is given to be exported");
    for (const NodeId id : *options_.nodes)
      if (id >= imported_.graph.node_slots() || !imported_.graph.node(id).alive)
        return invalid_argument("node {} is none of the graph's {}", id, imported_.graph.node_count());
    return {};
  }
  std::vector<std::string> capture_names() const {
    std::vector<std::string> names;
    for (const Capture& capture : imported_.graph.captures())
      names.push_back(imported_.graph.value(capture.inner).name);
    return names;
  }

  void copy_header() {
    const ModelProto& before = model_.proto;
    ModelProto& proto = exported_.proto;
    proto.producer_name = before.producer_name;
    proto.producer_version = before.producer_version;
    proto.domain = before.domain;
    proto.model_version = before.model_version;
    proto.doc_string = before.doc_string;
    proto.metadata_props = before.metadata_props;
    proto.configuration = before.configuration;
    proto.unknown = before.unknown;
    if (!options_.nodes) proto.training_info = before.training_info;
  }

  // The model's own imports in their order, then what is new; of a part of the graph only what it uses.
  void import_opsets(ExportState& state, const ExportPlan& plan) {
    ModelProto& proto = exported_.proto;
    const auto add = [&](std::string_view spelled, const std::string& domain) {
      const auto planned = plan.opsets.find(domain);
      const auto own = imported_.opsets.find(domain);
      int64_t version = own == imported_.opsets.end() ? 1 : own->second;
      if (planned != plan.opsets.end()) version = planned->second;
      exported_.opsets[domain] = version;
      auto& entry = proto.opset_import.emplace_back();
      entry.domain = kept_->keeper.text(spelled);
      entry.version = version;
    };
    for (const OperatorSetIdProto& before : model_.proto.opset_import) {
      const std::string domain = canonical_domain(before.domain);
      if ((!options_.nodes || state.domains_used.count(domain) > 0) && exported_.opsets.count(domain) == 0)
        add(before.domain, domain);
    }
    const std::set<std::string> rest(state.domains_used.begin(), state.domains_used.end());
    for (const std::string& domain : rest)
      if (exported_.opsets.count(domain) == 0) add(domain, domain);
  }

  void set_ir_version() {
    ModelProto& proto = exported_.proto;
    const ModelProto& before = model_.proto;
    int64_t ir = before.ir_version.value_or(1);
    const auto opset = exported_.opsets.find("");
    const auto own = imported_.opsets.find("");
    if (opset != exported_.opsets.end() && (own == imported_.opsets.end() || own->second != opset->second))
      ir = std::max<int64_t>(ir, ir_version_of_opset(opset->second));
    if (!proto.functions.empty()) ir = std::max<int64_t>(ir, kIrWithFunctions);
    if (before.opset_import.empty() && proto.opset_import.size() == 1 && opset != exported_.opsets.end() &&
        opset->second == 1 && ir < 3) {
      proto.opset_import.clear();
    } else {
      ir = std::max<int64_t>(ir, 3);
    }
    if (ir < kIrWithFreeInitializers) {
      if (!options_.nodes && listed_its_weights(*before.graph, *proto.graph)) {
        list_weights_as_inputs(*before.graph, *proto.graph);
      } else {
        ir = kIrWithFreeInitializers;
      }
    }
    proto.ir_version = ir;
  }

  const Model& model_;
  const Imported& imported_;
  const ExportOptions& options_;
  Speller speller_;
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  Exported exported_;
};

}  // namespace

Result<Exported> export_model(const Model& model, const Imported& imported, const ExportOptions& options) {
  return ModelWriter(model, imported, options).write();
}

}  // namespace sdx::onnx
