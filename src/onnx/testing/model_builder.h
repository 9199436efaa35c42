// ModelBuilder: small models for tests, as messages. It keeps what they point into.
#pragma once

#include "onnx/export_message.h"
#include "onnx/importer.h"
#include "ops/upgrade.h"

namespace sdx::onnx {

using ops::attr;
inline Attribute attr(std::string_view name, Tensor value) { return {std::string(name), std::move(value)}; }

class ModelBuilder {
 public:
  struct BodyNode {
    std::string op;
    std::vector<std::string> inputs, outputs;
  };
  explicit ModelBuilder(int64_t opset);

  // A dimension is a number, a symbol's name, or empty.
  void input(std::string_view name, DType type, const std::vector<std::string>& shape);
  void output(std::string_view name, DType type, const std::vector<std::string>& shape);
  void initializer(std::string_view name, const Tensor& tensor);
  NodeProto& node(std::string_view op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                  const std::vector<Attribute>& attributes = {}, std::string_view name = "",
                  std::string_view domain = "");
  void node_with_graphs(std::string_view op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs,
                        const std::vector<std::pair<std::string, ModelBuilder>>& graphs);
  void import_opset(std::string_view domain, int64_t version);
  void function(std::string_view domain, std::string_view name, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs, const std::vector<BodyNode>& body, int64_t opset);
  const ModelProto& model() const { return proto_; }

 private:
  void fill(NodeProto& node, std::string_view op, const std::vector<std::string>& inputs,
            const std::vector<std::string>& outputs);
  ValueInfoProto info(std::string_view name, DType type, const std::vector<std::string>& shape);
  Text text(std::string_view content) { return keeper_->text(content); }

  std::shared_ptr<Keeper> keeper_ = std::make_shared<Keeper>();
  std::vector<std::shared_ptr<Keeper>> inner_;  // of subgraphs
  ModelProto proto_;
};

}  // namespace sdx::onnx
