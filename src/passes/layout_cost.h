// What a node is estimated to take in plain and in blocked form, and what turning a value from one into the other does.
// In nanoseconds on one core; alone for one batch element, so that the choice does not depend on the batch.
#pragma once

#include "passes/blocked_form.h"

namespace sdx::passes {

class LayoutCost {
 public:
  explicit LayoutCost(const Graph& graph) : graph_(graph) {}

  // By how much the blocked form is faster; negative: slower.
  int64_t gain(const Node& node, const BlockedForm& form) const;
  int64_t reorder(ValueId value) const;
  // Its plain and blocked form are the same elements in the same order.
  bool is_reshape(ValueId value) const;

  // Elements along the spatial axes; a guess where they are symbols.
  int64_t positions(ValueId value) const;
  int64_t bytes(ValueId value) const;  // of the plain form
  int64_t blocked_bytes(ValueId value) const;

 private:
  int64_t guess(const Dim& dim) const;
  double plain_rate(const Node& node, bool is_depthwise) const;
  int64_t convolution_gain(const Node& node) const;
  int64_t up_convolution_gain(const Node& node) const;

  const Graph& graph_;
};

}  // namespace sdx::passes
