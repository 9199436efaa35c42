// Rewrite: nodes that take the place of others, built aside and applied whole or not at all.
//
//   Rewrite rewrite(ctx, "Conv + Add");
//   rewrite.take(conv).take(add);
//   const ValueId bias = rewrite.constant("bias", tensor);
//   rewrite.become(add_output, rewrite.add({.op = "Conv", .inputs = {x, w, bias}, .attributes = attributes}));
//   rewrite.apply();
#pragma once

#include <initializer_list>

#include "passes/pass.h"

namespace sdx::passes {

struct NewNode {
  std::string_view op;
  std::string_view domain = "";
  std::vector<ValueId> inputs;  // of the graph, or of the rewrite
  Attributes attributes = {};
  size_t outputs = 1;
};

Attributes make_attributes(std::initializer_list<Attribute> list);

class Rewrite {
 public:
  Rewrite(PassContext& ctx, std::string_view what) : ctx_(ctx), what_(what) {}

  void rename(std::string_view what) { what_ = what; }
  // The node goes; the new ones have its origins.
  Rewrite& take(NodeId node);
  // A new weight; or one that LazyWeights::add gave.
  ValueId constant(std::string_view name, Tensor tensor);
  // A weight of a few numbers, int64: axes, a shape.
  ValueId numbers(std::string_view name, std::span<const int64_t> values);
  // A new node; its first output, behind which the others follow.
  ValueId add(NewNode node);
  // What the graph knows as `old` is made by a new node from now on. Same type; same shape, or one that a run must
  // check.
  void become(ValueId old, ValueId made);
  // Who uses `old` uses `existing` from now on, which has the same elements, type and shape. An output of the graph
  // keeps its name.
  void forward(ValueId old, ValueId existing);

  // False, with the graph as it was, where the driver wants no more rewrites, a node belongs to another provider than
  // the CPU, a new node's shape rule fails, a type or shape would change, or a name of an output could not be kept.
  bool apply();

 private:
  struct Local {
    std::string name;
    Fact fact;
    size_t node = SIZE_MAX;  // that makes it; none: a constant
    ValueId becomes = kNoValue;
    bool used = false;      // by a new node
    ValueId id = kNoValue;  // once applied
  };
  static constexpr ValueId kFirstLocal = ValueId{1} << 31;
  static bool is_local(ValueId value) { return value >= kFirstLocal && value != kNoValue; }
  Local& local(ValueId value) { return locals_[value - kFirstLocal]; }
  const Fact& fact_of(ValueId value);

  void omit_unused_outputs();
  bool infer();
  bool check_becoming();
  bool can_forward(ValueId old, ValueId existing) const;
  void do_forward(ValueId old, ValueId existing);
  bool decline(std::string_view reason);

  PassContext& ctx_;
  std::string what_;
  std::vector<NodeId> taken_;
  std::vector<Node> nodes_;
  std::vector<Local> locals_;
  std::vector<std::pair<ValueId, ValueId>> forwards_;
};

}  // namespace sdx::passes
