#include "runtime/origins.h"

namespace sdx::runtime {
namespace {

void collect(const onnx::GraphProto& graph, std::map<std::string, std::string>& operators) {
  for (const onnx::NodeProto& node : graph.node) {
    const bool named = !node.name.empty() || node.output.empty();
    operators.emplace(named ? node.name : node.output[0], node.op_type);
    for (const onnx::AttributeProto& attribute : node.attribute) {
      if (attribute.g) collect(*attribute.g, operators);
      for (const onnx::GraphProto& inner : attribute.graphs) collect(inner, operators);
    }
  }
}

}  // namespace

std::map<std::string, std::string> operators_by_origin(const onnx::GraphProto& graph) {
  std::map<std::string, std::string> operators;
  collect(graph, operators);
  return operators;
}

}  // namespace sdx::runtime
