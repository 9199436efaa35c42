#include "inspect.h"

#include <set>

#include "inspect_values.h"
#include "json_text.h"

namespace sdx::api {
namespace {

struct Counts {
  std::map<std::pair<std::string, std::string>, int64_t> operators;
  int64_t nodes = 0, weights = 0, elements = 0, bytes = 0;
  std::map<std::string, int64_t> bytes_by_type;
};

std::string_view shown_domain(std::string_view domain) { return domain.empty() ? "ai.onnx" : domain; }

void count_nodes(const Graph& graph, Counts& counts) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive) continue;
    ++counts.nodes;
    ++counts.operators[{std::string(shown_domain(node.domain)), node.op}];
    for_each_subgraph(node, [&](const Graph& inner, const std::string&) { count_nodes(inner, counts); });
  }
}

// Weights as the file has them: what the importer folds or drops counts too.
void count_weights(const onnx::GraphProto& graph, Counts& counts) {
  const auto add = [&](const onnx::TensorProto& tensor, const onnx::Numbers<int64_t>& dims) {
    const std::vector<int64_t> shape = dims.values();
    const DType type = dtype_from_onnx(tensor.data_type.value_or(0));
    const int64_t elements = checked_count(shape).value_or(0);
    const auto bytes = static_cast<int64_t>(byte_size(type, elements).value_or(0));
    ++counts.weights;
    counts.elements += elements;
    counts.bytes += bytes;
    counts.bytes_by_type[std::string(info(type).onnx_name)] += bytes;
  };
  for (const auto& initializer : graph.initializer) add(initializer, initializer.dims);
  for (const auto& sparse : graph.sparse_initializer)
    if (sparse.values) add(*sparse.values, sparse.values->dims);
  for (const auto& node : graph.node) {
    for (const auto& attribute : node.attribute) {
      if (attribute.g) count_weights(*attribute.g, counts);
      for (const auto& inner : attribute.graphs) count_weights(inner, counts);
    }
  }
}

template <typename Wanted>
void write_values(std::string_view name, const Graph& graph, const std::vector<ValueId>& ids, Wanted wanted,
                  JsonText& json) {
  json.key(name).begin_array();
  for (const ValueId id : ids)
    if (wanted(graph.value(id))) {
      json.begin_object();
      write_value_members(graph.value(id), graph.symbols(), Unnamed::as_null, json);
      json.end_object();
    }
  json.end_array();
}

void add_symbols(const std::optional<SymShape>& shape, const SymbolTable& symbols, std::set<std::string>& names) {
  if (!shape) return;
  for (const Dim& dim : *shape) {
    const auto atom = dim.as_atom();
    if (!atom || symbols.atom(*atom).anonymous) continue;
    if (symbols.atom(*atom).function == SymbolTable::Function::symbol) names.insert(symbols.atom(*atom).name);
  }
}

// The symbols of the inputs: what a caller can set.
std::set<std::string> input_symbols(const Graph& graph) {
  std::set<std::string> names;
  for (const ValueId id : graph.inputs()) {
    const Fact& fact = graph.fact(id);
    add_symbols(fact.shape, graph.symbols(), names);
    for (const Fact& inner : fact.inner) add_symbols(inner.shape, graph.symbols(), names);
  }
  return names;
}

void write_header(const onnx::Model& model, JsonText& json) {
  const onnx::ModelProto& proto = model.proto;
  json.member("path", model.path).member("ir_version", proto.ir_version.value_or(0));
  json.member("producer_name", proto.producer_name).member("producer_version", proto.producer_version);
  json.member("domain", proto.domain).member("model_version", proto.model_version.value_or(0));
  json.member("graph_name", proto.graph ? proto.graph->name : onnx::Text());
  json.member("doc", proto.doc_string);
}

void write_counts(const Counts& counts, JsonText& json) {
  json.key("operators").begin_array();
  for (const auto& [name, count] : counts.operators) {
    json.begin_object().member("domain", name.first).member("op", name.second).member("count", count).end_object();
  }
  json.end_array().member("nodes", counts.nodes);
  json.key("weights").begin_object().member("count", counts.weights);
  json.member("elements", counts.elements).member("bytes", counts.bytes).key("by_type").begin_object();
  for (const auto& [type, bytes] : counts.bytes_by_type) json.member(type, bytes);
  json.end_object().end_object();
}

}  // namespace

std::string inspect_model(const onnx::Model& model, const Graph& graph, const std::map<std::string, int64_t>& opsets,
                          const std::vector<std::string>& warnings) {
  JsonText json;
  json.begin_object();
  write_header(model, json);
  json.key("opsets").begin_object();
  for (const auto& [domain, version] : opsets) json.member(shown_domain(domain), version);
  json.end_object().key("metadata").begin_object();
  std::map<std::string_view, std::string_view> metadata;
  for (const auto& entry : model.proto.metadata_props) metadata.emplace(entry.key, entry.value);
  for (const auto& [key, value] : metadata) json.member(key, value);
  json.end_object();
  write_values(
      "inputs", graph, graph.inputs(), [](const ValueInfo& value) { return !value.is_initializer; }, json);
  write_values(
      "overridable", graph, graph.inputs(), [](const ValueInfo& value) { return value.is_initializer; }, json);
  write_values(
      "outputs", graph, graph.outputs(), [](const ValueInfo&) { return true; }, json);
  json.key("symbols").begin_array();
  for (const std::string& name : input_symbols(graph)) json.value(name);
  json.end_array();
  write_shapes(graph, json);
  Counts counts;
  count_nodes(graph, counts);
  if (model.proto.graph) count_weights(*model.proto.graph, counts);
  write_counts(counts, json);
  json.key("functions").begin_array();
  for (const auto& function : model.proto.functions) {
    json.begin_object().member("domain", shown_domain(function.domain)).member("name", function.name);
    json.member("nodes", static_cast<int64_t>(function.node.size())).end_object();
  }
  json.end_array().key("warnings").begin_array();
  for (const std::string& warning : warnings) json.value(warning);
  json.end_array().end_object();
  return json.text();
}

}  // namespace sdx::api
