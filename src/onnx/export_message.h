// What a graph holds as messages: types, attributes, tensors. Texts are copied into a Keeper, which the messages point
// into with the tensors' own memory.
#pragma once

#include <deque>

#include "graph/graph.h"
#include "onnx/proto.h"

namespace sdx::onnx {

class Keeper {
 public:
  Text text(std::string_view content) { return texts_.emplace_back(content); }
  const Tensor& tensor(const Tensor& content) { return tensors_.emplace_back(content); }

 private:
  std::deque<std::string> texts_;
  std::deque<Tensor> tensors_;
};

// A dimension becomes a number, the name of its symbol, or the text of its expression; one that nothing is known about
// stays empty. False for a fact without a type that a file can say.
bool type_message(const Fact& fact, const SymbolTable& symbols, Keeper& keeper, TypeProto& type);

TensorProto kept_tensor(const Tensor& tensor, std::string_view name, Keeper& keeper);

// All kinds but subgraphs.
Result<AttributeProto> attribute_message(const Attribute& attribute, const SymbolTable& symbols, Keeper& keeper);

// What a file should say of an input or output: what the model says, and where that says nothing or is wrong what is
// known.
Fact interface_fact(const ValueInfo& value, const SymbolTable& symbols);

}  // namespace sdx::onnx
