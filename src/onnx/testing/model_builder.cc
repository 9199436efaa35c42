#include "onnx/testing/model_builder.h"

#include <cctype>

namespace sdx::onnx {

ModelBuilder::ModelBuilder(int64_t opset) {
  proto_.ir_version = 8;
  proto_.graph.make().name = "g";
  import_opset("", opset);
}

void ModelBuilder::import_opset(std::string_view domain, int64_t version) {
  OperatorSetIdProto& import = proto_.opset_import.emplace_back();
  import.domain = text(domain);
  import.version = version;
}

ValueInfoProto ModelBuilder::info(std::string_view name, DType type, const std::vector<std::string>& shape) {
  ValueInfoProto value;
  value.name = text(name);
  TensorTypeProto& tensor = value.type.make().tensor_type.make();
  tensor.elem_type = static_cast<int32_t>(type);
  TensorShapeProto& dims = tensor.shape.make();
  for (const std::string& dim : shape) {
    DimensionProto& made = dims.dim.emplace_back();
    if (dim.empty()) continue;
    if (std::isdigit(static_cast<unsigned char>(dim[0]))) {
      made.dim_value = std::stoll(dim);
    } else {
      made.dim_param = text(dim);
    }
  }
  return value;
}

void ModelBuilder::input(std::string_view name, DType type, const std::vector<std::string>& shape) {
  proto_.graph->input.push_back(info(name, type, shape));
}

void ModelBuilder::output(std::string_view name, DType type, const std::vector<std::string>& shape) {
  proto_.graph->output.push_back(info(name, type, shape));
}

void ModelBuilder::initializer(std::string_view name, const Tensor& tensor) {
  proto_.graph->initializer.push_back(kept_tensor(tensor, name, *keeper_));
}

void ModelBuilder::fill(NodeProto& node, std::string_view op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
  node.op_type = text(op);
  for (const std::string& input : inputs) node.input.push_back(text(input));
  for (const std::string& output : outputs) node.output.push_back(text(output));
}

NodeProto& ModelBuilder::node(std::string_view op, const std::vector<std::string>& inputs,
                              const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes,
                              std::string_view name, std::string_view domain) {
  NodeProto& made = proto_.graph->node.emplace_back();
  fill(made, op, inputs, outputs);
  made.name = text(name);
  made.domain = text(domain);
  const SymbolTable symbols;
  for (const Attribute& attribute : attributes)
    made.attribute.push_back(attribute_message(attribute, symbols, *keeper_).value());
  return made;
}

void ModelBuilder::node_with_graphs(std::string_view op, const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs,
                                    const std::vector<std::pair<std::string, ModelBuilder>>& graphs) {
  NodeProto& made = node(op, inputs, outputs);
  for (const auto& [name, graph] : graphs) {
    AttributeProto& attribute = made.attribute.emplace_back();
    attribute.name = text(name);
    attribute.type = static_cast<int32_t>(AttributeKind::graph);
    attribute.g.make() = *graph.proto_.graph;
    inner_.push_back(graph.keeper_);
    inner_.insert(inner_.end(), graph.inner_.begin(), graph.inner_.end());
  }
}

void ModelBuilder::function(std::string_view domain, std::string_view name, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs, const std::vector<BodyNode>& body, int64_t opset) {
  FunctionProto& made = proto_.functions.emplace_back();
  made.domain = text(domain);
  made.name = text(name);
  for (const std::string& input : inputs) made.input.push_back(text(input));
  for (const std::string& output : outputs) made.output.push_back(text(output));
  for (const BodyNode& node : body) {
    fill(made.node.emplace_back(), node.op, node.inputs, node.outputs);
    made.node.back().domain = text(node.domain);
    if (!node.domain.empty()) {
      OperatorSetIdProto& import = made.opset_import.emplace_back();
      import.domain = text(node.domain);
      import.version = 1;
    }
  }
  OperatorSetIdProto& import = made.opset_import.emplace_back();
  import.domain = text("");
  import.version = opset;
}

}  // namespace sdx::onnx
