// The parts of attention spelled out in nodes: softmax(q k' * scale, capped, masked) v, each as exporters write it.
#pragma once

#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {

// [batch, heads, positions, channels], or with heads and positions the other way round, or a part of several:
// [batch, positions, parts, heads, channels].
struct Heads {
  ValueId value = kNoValue;
  bool by_position = false;
  int64_t part = -1;  // none

  bool defined() const { return value != kNoValue; }
  Dim dim(const Graph& graph, int axis) const;
};

// One attention, from its last product back. What is understood is taken into a list.
class AttentionForm {
 public:
  explicit AttentionForm(const Graph& graph) : graph_(graph) {}

  Heads q, k, v;
  ValueId y = kNoValue;
  bool y_by_position = false;
  double scale = 1;
  double cap = 0;             // scores become cap tanh(score / cap); 0: none
  ValueId mask = kNoValue;    // added
  ValueId choice = kNoValue;  // of scores that are another number
  bool hidden_where = false, zero_rows = false;
  double hidden_score = 0;

  // False: no attention, or none that is understood; `reason` says why, where it nearly is.
  bool find(NodeId last);
  std::string_view reason;
  const std::vector<NodeId>& taken() const { return taken_; }

 private:
  void take(NodeId id);
  const Node* step_back(ValueId value, std::string_view op);
  bool is_product(ValueId value, int depth = 0) const;

  bool find_weights(ValueId weights);  // the softmax; gives scores_
  void take_mask();
  void take_choice();
  bool take_cap();
  void take_scale(ValueId& value);
  bool find_scores();  // the product of q and k
  bool find_keys(ValueId turned);
  ValueId apart(ValueId flat);  // with batch and heads in two dimensions
  void undo_turn(Heads& heads);
  bool undo_repeat(Heads& heads);
  void undo_parts(Heads& heads);
  void follow_result(const Node& product);
  ValueId before_expand(ValueId operand);
  bool fits();
  bool is_closed();
  bool same(const Dim& a, const Dim& b) const { return graph_.symbols().equal(a, b) == Truth::yes; }

  const Graph& graph_;
  std::vector<NodeId> taken_;
  ValueId scores_ = kNoValue;
  bool flat_ = false;  // rank 3
};

// Whether a node may be the product of weights and values.
bool may_end_attention(const Graph& graph, const Node& node);

}  // namespace sdx::passes
