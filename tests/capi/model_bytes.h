// Small models as bytes, for tests of the public headers.
#pragma once

#include <string>
#include <vector>

#include "onnx/value_proto.h"
#include "onnx/writer.h"

namespace sdx::test {

// A dimension: a number, or a symbol when `name` is given.
struct ModelDim {
  ModelDim(int number) : value(number) {}
  ModelDim(const char* symbol) : name(symbol) {}
  int64_t value = -1;
  const char* name = nullptr;
};

struct ModelPort {
  const char* name;
  DType type;
  std::vector<ModelDim> shape;
};

struct ModelNode {
  const char* op;
  std::vector<const char*> inputs, outputs;
};

// What strings and tensors point to must outlive the call of bytes().
class ModelMaker {
 public:
  explicit ModelMaker(int64_t opset = 17) {
    proto.ir_version = 9;
    proto.opset_import.emplace_back().version = opset;
    proto.graph.make().name = "g";
  }

  ModelMaker& input(const ModelPort& port) {
    proto.graph->input.push_back(value_info(port));
    return *this;
  }
  ModelMaker& output(const ModelPort& port) {
    proto.graph->output.push_back(value_info(port));
    return *this;
  }
  ModelMaker& output(const char* name, onnx::TypeProto type) {
    auto& info = proto.graph->output.emplace_back();
    info.name = name;
    info.type.make() = std::move(type);
    return *this;
  }
  ModelMaker& node(const ModelNode& node) {
    auto& message = proto.graph->node.emplace_back();
    message.op_type = node.op;
    message.name = node.outputs[0];
    for (const char* name : node.inputs) message.input.emplace_back(name);
    for (const char* name : node.outputs) message.output.emplace_back(name);
    return *this;
  }
  ModelMaker& initializer(const char* name, Tensor tensor) {
    tensors_.push_back(std::move(tensor));
    proto.graph->initializer.push_back(onnx::tensor_message(tensors_.back(), name));
    return *this;
  }
  std::string bytes() const { return onnx::write_model_to_string(proto).value(); }

  static onnx::TypeProto tensor_type(DType type, const std::vector<ModelDim>& shape) {
    onnx::TypeProto message;
    auto& tensor = message.tensor_type.make();
    tensor.elem_type = static_cast<int32_t>(type);
    auto& dims = tensor.shape.make().dim;
    for (const ModelDim& dim : shape) {
      auto& entry = dims.emplace_back();
      if (dim.name != nullptr) {
        entry.dim_param = dim.name;
      } else {
        entry.dim_value = dim.value;
      }
    }
    return message;
  }

  onnx::ModelProto proto;

 private:
  static onnx::ValueInfoProto value_info(const ModelPort& port) {
    onnx::ValueInfoProto info;
    info.name = port.name;
    info.type.make() = tensor_type(port.type, port.shape);
    return info;
  }

  std::vector<Tensor> tensors_;
};

// y = max(x, lo), x: float [batch, 3]. `lo` may be given by a run.
inline std::string clip_model() {
  ModelMaker maker;
  maker.proto.producer_name = "tests";
  maker.proto.model_version = 7;
  maker.proto.metadata_props.push_back({"author", "nobody", {}});
  maker.input({"x", DType::f32, {"batch", 3}}).input({"lo", DType::f32, {}}).output({"y", DType::f32, {"batch", 3}});
  maker.initializer("lo", scalar_f32(0)).node({"Clip", {"x", "lo"}, {"y"}});
  return maker.bytes();
}

inline std::span<const std::byte> as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace sdx::test
