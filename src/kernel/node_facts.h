// NodeFacts: a node and what is known about its inputs: what shape rules and kernel choices look at.
#pragma once

#include <span>

#include "graph/graph.h"

namespace sdx {

class NodeFacts {
 public:
  // One entry an input of the node; null where an optional one is omitted.
  NodeFacts(const Node& node, std::span<const Fact* const> inputs) : node_(node), inputs_(inputs) {}

  const Node& node() const { return node_; }
  const Attributes& attributes() const { return node_.attributes; }
  int64_t attr_int(std::string_view name, int64_t otherwise) const { return attributes().get_int(name, otherwise); }
  float attr_float(std::string_view name, float otherwise) const { return attributes().get_float(name, otherwise); }
  std::string_view attr_string(std::string_view name, std::string_view otherwise) const {
    return attributes().get_string(name, otherwise);
  }
  std::span<const int64_t> attr_ints(std::string_view name) const { return attributes().get_ints(name); }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr; }
  const Fact& input(size_t i) const;  // of an omitted input: a fact that knows nothing
  DType dtype(size_t i) const { return input(i).dtype; }
  bool has_rank(size_t i) const { return input(i).has_rank(); }
  int rank(size_t i) const { return input(i).rank(); }
  const Dim& dim(size_t i, int axis) const { return input(i).dim(axis); }
  const Tensor* constant(size_t i) const { return input(i).is_constant() ? &input(i).constant : nullptr; }

  size_t output_count() const { return node_.outputs.size(); }
  bool wants_output(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != kNoValue; }

 private:
  const Node& node_;
  std::span<const Fact* const> inputs_;
};

}  // namespace sdx
