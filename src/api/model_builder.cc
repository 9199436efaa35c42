#include "model_builder.h"

#include "abi/element_type.h"
#include "onnx/export_message.h"
#include "onnx/importer.h"
#include "onnx/writer.h"

namespace sdx::api {
namespace {

Fact fact_of(const OrtTypeInfo& type, SymbolTable& symbols) {
  const auto inner = [&](const std::vector<OrtTypeInfo>& list) {
    return list.empty() ? std::vector<Fact>() : std::vector<Fact>{fact_of(list[0], symbols)};
  };
  Fact fact;
  fact.kind = abi::kind_of(type.type);
  if (fact.kind == ValueKind::sequence) fact.inner = inner(type.sequence.element);
  if (fact.kind == ValueKind::optional) fact.inner = inner(type.optional.contained);
  if (fact.kind == ValueKind::map) {
    fact.dtype = abi::dtype_of(type.map.key);
    fact.inner = inner(type.map.value);
  }
  if (fact.kind != ValueKind::tensor && fact.kind != ValueKind::sparse) return fact;
  fact.dtype = abi::dtype_of(type.tensor.element_type);
  if (!type.tensor.has_shape) return fact;
  fact.shape.emplace();
  for (size_t i = 0; i < type.tensor.dims.size(); ++i) {
    const bool named = i < type.tensor.symbols.size() && !type.tensor.symbols[i].empty();
    fact.shape->push_back(type.tensor.dims[i] >= 0 ? Dim(type.tensor.dims[i])
                          : named                  ? symbols.symbol(type.tensor.symbols[i])
                                                   : symbols.fresh());
  }
  return fact;
}

class Builder {
 public:
  explicit Builder(onnx::Model& model) : graph_(model.proto.graph.make()) { model.kept.push_back(keeper_); }

  Status add(const OrtGraph& description) {
    if (description.inputs) SDX_TRY(set(*description.inputs, graph_.input));
    if (description.outputs) SDX_TRY(set(*description.outputs, graph_.output));
    for (const auto& [name, tensor] : description.initializers)
      graph_.initializer.push_back(onnx::kept_tensor(tensor, name, *keeper_));
    for (const auto& node : description.nodes) SDX_TRY(add(*node));
    return {};
  }

  Status add_opset(onnx::ModelProto& model, const std::string& domain, int version) {
    const auto canonical = [](std::string_view name) { return name == "ai.onnx" ? std::string_view() : name; };
    for (const auto& known : model.opset_import) {
      if (canonical(known.domain) != canonical(domain)) continue;
      if (known.version == version) return {};
      return invalid_argument("the model has opset {} of \"{}\", what is added to it {}", known.version.value_or(0),
                              domain, version);
    }
    auto& made = model.opset_import.emplace_back();
    made.domain = keeper_->text(domain);
    made.version = version;
    return {};
  }

 private:
  Status set(const std::vector<OrtValueInfo>& ports, std::vector<onnx::ValueInfoProto>& list) {
    list.clear();
    for (const OrtValueInfo& port : ports) {
      auto& info = list.emplace_back();
      info.name = keeper_->text(port.name);
      if (!onnx::type_message(fact_of(port.type, symbols_), symbols_, *keeper_, info.type.make())) info.type.reset();
    }
    return {};
  }

  Status add(const OrtNode& node) {
    onnx::NodeProto proto;
    proto.op_type = keeper_->text(node.op);
    proto.domain = keeper_->text(node.domain);
    proto.name = keeper_->text(node.name);
    for (const std::string& name : node.inputs) proto.input.push_back(keeper_->text(name));
    for (const std::string& name : node.outputs) proto.output.push_back(keeper_->text(name));
    for (const Attribute& attribute : node.attributes) {
      SDX_ASSIGN(auto message, onnx::attribute_message(attribute, symbols_, *keeper_));
      proto.attribute.push_back(std::move(message));
    }
    graph_.node.push_back(std::move(proto));
    return {};
  }

  onnx::GraphProto& graph_;
  std::shared_ptr<onnx::Keeper> keeper_ = std::make_shared<onnx::Keeper>();
  SymbolTable symbols_;
};

}  // namespace

Status add_to_model(const OrtModel& description, onnx::Model& model) {
  Builder builder(model);
  for (const auto& [domain, version] : description.opsets) SDX_TRY(builder.add_opset(model.proto, domain, version));
  return description.graph == nullptr ? Status() : builder.add(*description.graph);
}

Result<std::shared_ptr<onnx::Model>> build_model(const OrtModel& description) {
  if (description.graph == nullptr) return invalid_argument("the model has no graph: AddGraphToModel gives it one");
  onnx::ModelProto proto;
  proto.ir_version = onnx::kNewestIrVersion;
  proto.producer_name = "sardonyx";
  proto.graph.make().name = "graph";
  SDX_ASSIGN(const std::string bytes, onnx::write_model_to_string(proto));
  SDX_ASSIGN(auto model, onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy));
  SDX_TRY(add_to_model(description, *model));
  return model;
}

}  // namespace sdx::api
