// First forms: what is kept of the model's nodes while their canonical ones are worked on, so that a group of nodes
// that nobody has changed can be shown as the one node it came from. Nothing is copied: a form points into the Model.
// Whether a group is untouched is told by a fingerprint, so a pass need not report what it changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "onnx/proto.h"

namespace sdx::onnx {

using GroupId = uint32_t;  // Node::group; 0: of no node of the model

// How the nodes of a group hang together with the rest, where they are more than the node as it stands.
struct GroupWiring {
  std::vector<ValueId> inputs, outputs;  // those of the model's node
  // For each input and capture of the group's nodes in order: the input of the model's node that it is, or -1.
  std::vector<int32_t> uses;
};

struct FirstForm {
  const NodeProto* node = nullptr;      // in the Model
  int opset = 0;                        // of its domain; 0 for a call of a model-local function
  GroupId call = 0;                     // the call in whose body it stands
  uint64_t fingerprint = 0;             // of the nodes it became; 0: it became a constant, or nothing
  std::shared_ptr<GroupWiring> wiring;  // null: it became one node with the same inputs, outputs and attributes

  bool is_call() const { return opset == 0; }
};

// Where a constant value of the graph came from, if not from a dense initializer.
struct ConstantForm {
  const NodeProto* node = nullptr;
  const SparseTensorProto* sparse = nullptr;
};

class FirstForms {
 public:
  FirstForms() : groups_(1) {}
  GroupId add(FirstForm form);
  FirstForm& of(GroupId group) { return groups_[group]; }
  const FirstForm* find(GroupId group) const {
    return group == 0 || group >= groups_.size() ? nullptr : &groups_[group];
  }
  // The calls that the group stands in, the innermost first.
  std::vector<GroupId> calls_around(GroupId group) const;

  void add_constant(const std::string& name, const Tensor& data, ConstantForm form);
  // Null where the value has other data now.
  const ConstantForm* find_constant(const ValueInfo& value) const;

 private:
  std::vector<FirstForm> groups_;
  std::map<std::pair<std::string, const void*>, ConstantForm> constants_;
};

// Of a node as it stands: operator, attributes, arity.
uint64_t fingerprint(const Node& node);
// Of the nodes of a group and how they hang together, with all that their subgraphs hold. Fills in `wiring.uses`.
uint64_t fingerprint(const Graph& graph, const std::vector<NodeId>& nodes, GroupWiring& wiring);

// What stands for the inputs of the model's node now; nullopt when its nodes are no longer what they were.
std::optional<std::vector<ValueId>> untouched_inputs(const Graph& graph, const std::vector<NodeId>& nodes,
                                                     const FirstForm& form);

}  // namespace sdx::onnx
