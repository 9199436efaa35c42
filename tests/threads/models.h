// Models for tests of threads and of stopping: nodes with attributes, and inputs of any size that take no memory.
#pragma once

#include <sys/mman.h>

#include <memory>

#include "sardonyx.hpp"
#include "tests/capi/model_bytes.h"

namespace sdx::test {

inline onnx::AttributeProto attribute(const char* name, int64_t value) {
  onnx::AttributeProto made;
  made.name = name;
  made.i = value;
  made.type = 2;
  return made;
}
inline onnx::AttributeProto attribute(const char* name, float value) {
  onnx::AttributeProto made;
  made.name = name;
  made.f = value;
  made.type = 1;
  return made;
}
inline onnx::AttributeProto attribute(const char* name, const char* value) {
  onnx::AttributeProto made;
  made.name = name;
  made.s = value;
  made.type = 3;
  return made;
}
inline onnx::AttributeProto attribute(const char* name, std::vector<int64_t> values) {
  onnx::AttributeProto made;
  made.name = name;
  made.ints = onnx::Numbers<int64_t>(std::move(values));
  made.type = 7;
  return made;
}

// Memory that is one value all over: reading it touches one page where the value is 0.
class Fill {
 public:
  explicit Fill(size_t bytes) : bytes_(bytes) {
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Fill() { munmap(memory_, bytes_); }
  Fill(const Fill&) = delete;
  Fill& operator=(const Fill&) = delete;
  template <typename T>
  std::span<T> as() const {
    return {static_cast<T*>(memory_), bytes_ / sizeof(T)};
  }

 private:
  void* memory_;
  size_t bytes_;
};

inline int64_t product(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t dim : shape) count *= dim;
  return count;
}

// Values that look random and are the same each time.
inline sardonyx::Value noise(const std::vector<int64_t>& shape, uint32_t seed) {
  std::vector<float> values(static_cast<size_t>(product(shape)));
  for (float& value : values) {
    seed = seed * 1664525 + 1013904223;
    value = static_cast<float>(seed >> 8) / (1 << 23) - 1;
  }
  return sardonyx::Value::tensor<float>(values, shape);
}

inline std::string bits_of(const sardonyx::Value& value) {
  const auto bytes = value.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::string bits_of(std::span<const sardonyx::Value> values) {
  std::string all;
  for (const auto& value : values) all += bits_of(value);
  return all;
}

// Convolution, pooling, products, a recurrence and reductions over an image [n, 3, h, w]: each in several blocks.
inline std::string mixed_model() {
  ModelMaker maker(17);
  const auto weight = [&](const char* name, std::vector<int64_t> dims, uint32_t seed) {
    Tensor made = Tensor::allocate(DType::f32, Shape(dims)).value();
    for (int64_t i = 0; i < made.count(); ++i) {
      seed = seed * 1664525 + 1013904223;
      made.data<float>()[i] = (static_cast<float>(seed >> 8) / (1 << 23) - 1) / 4;
    }
    maker.initializer(name, std::move(made));
  };
  weight("conv_w", {16, 3, 3, 3}, 1);
  weight("depth_w", {16, 1, 3, 3}, 2);
  weight("up_w", {16, 64}, 3);
  weight("lstm_w", {1, 128, 64}, 4);
  weight("lstm_r", {1, 128, 32}, 5);
  maker.input({"x", DType::f32, {"n", 3, "h", "w"}});
  maker.node({"Conv", {"x", "conv_w"}, {"c"}});
  maker.proto.graph->node.back().attribute.push_back(attribute("pads", std::vector<int64_t>{1, 1, 1, 1}));
  maker.node({"Relu", {"c"}, {"r"}}).node({"Conv", {"r", "depth_w"}, {"d"}});
  maker.proto.graph->node.back().attribute.push_back(attribute("group", int64_t{16}));
  maker.node({"Sigmoid", {"d"}, {"s"}}).node({"Transpose", {"s"}, {"t"}});
  maker.proto.graph->node.back().attribute.push_back(attribute("perm", std::vector<int64_t>{0, 2, 3, 1}));
  maker.node({"MatMul", {"t", "up_w"}, {"m"}}).node({"Softmax", {"m"}, {"p"}});
  maker.node({"ReduceMean", {"p"}, {"sequence"}});
  maker.proto.graph->node.back().attribute.push_back(attribute("axes", std::vector<int64_t>{2}));
  maker.proto.graph->node.back().attribute.push_back(attribute("keepdims", int64_t{0}));
  maker.node({"LSTM", {"sequence", "lstm_w", "lstm_r"}, {"y"}});
  maker.proto.graph->node.back().attribute.push_back(attribute("hidden_size", int64_t{32}));
  maker.output({"p", DType::f32, {"n", "h2", "w2", 64}}).output({"y", DType::f32, {"n", 1, "h2", 32}});
  return maker.bytes();
}

}  // namespace sdx::test
