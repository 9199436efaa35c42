#include "passes/widen_floats.h"

#include <algorithm>

#include "base/element.h"
#include "ops/graph_inference.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

bool is_narrow(DType type) { return type == DType::f32 || type == DType::f16 || type == DType::bf16; }

// Of a tensor, or of the tensors in a sequence or an optional.
DType narrow_type(const Fact& fact) {
  if (fact.is_tensor()) return is_narrow(fact.dtype) ? fact.dtype : DType::undefined;
  const bool holds_one = fact.kind == ValueKind::sequence || fact.kind == ValueKind::optional;
  return holds_one && !fact.inner.empty() ? narrow_type(fact.inner[0]) : DType::undefined;
}

void widen(Fact& fact) {
  if (fact.is_tensor() && is_narrow(fact.dtype)) {
    fact.dtype = DType::f64;
    fact.constant = {};
  }
  for (Fact& inner : fact.inner) widen(inner);
}

// Every number of `from` is one of `to`.
bool holds(DType to, DType from) { return is_narrow(from) && (to == from || to == DType::f32); }

Result<Tensor> widened(const Tensor& tensor) {
  SDX_ASSIGN(Tensor made, Tensor::allocate(DType::f64, tensor.shape()));
  for (int64_t i = 0; i < tensor.count(); ++i) store_double(made, i, load_double(tensor, i));
  return made;
}

bool takes_double(const ops::OpFacts& facts, size_t input, const Fact& given) {
  if (facts.inputs.empty()) return false;
  const ops::Formal& formal = facts.inputs[std::min(input, facts.inputs.size() - 1)];
  if (formal.constraint < 0) return false;
  const ops::TypeConstraint& types = facts.constraints[static_cast<size_t>(formal.constraint)];
  const uint64_t all = given.is_tensor()                   ? types.tensor_types
                       : given.kind == ValueKind::sequence ? types.sequence_types
                                                           : types.optional_types | types.optional_sequence_types;
  return (all >> static_cast<int>(DType::f64) & 1) != 0;
}

// What the node makes has a type that is not that of its inputs, or the elements are taken as bits.
bool names_a_type(const Node& node) {
  for (const std::string_view name : {"dtype", "output_dtype", "output_datatype", "softmax_precision", "type"})
    if (node.attributes.has(name)) return true;
  return node.op == "CastLike" || node.op == "BitCast";
}

class Widening {
 public:
  // The facts of the graph as they are now are those that the model has.
  Widening(Graph& graph, bool is_root, ops::InferenceBudget& budget)
      : graph_(graph), is_root_(is_root), budget_(budget), wide_(graph.value_slots(), kNoValue) {
    narrow_ = wide_;
    for (ValueId id = 0; id < graph.value_slots(); ++id) originals_.push_back(graph.fact(id));
  }

  Status run() {
    SDX_ASSIGN(const std::vector<NodeId> order, graph_.topological_order());
    if (!is_root_)
      for (const ValueId id : graph_.inputs()) widen(graph_.value(id).fact);
    for (const NodeId id : order) SDX_TRY(widen_node(id).with_prefix(graph_.node(id).label() + ": "));
    for (size_t i = 0; i < graph_.outputs().size() && !is_root_; ++i) {
      SDX_ASSIGN(const ValueId output, wide(graph_.outputs()[i]));
      graph_.set_output(i, output);
    }
    for (ValueInfo* value : declared()) widen(*value->declared);
    return {};
  }

 private:
  DType original(ValueId id) const { return id == kNoValue ? DType::undefined : narrow_type(originals_[id]); }

  // Stays what it is: its wide form is another value.
  bool is_given(ValueId id) const {
    const ValueInfo& value = graph_.value(id);
    return value.is_initializer || (is_root_ && value.is_input);
  }

  std::vector<ValueInfo*> declared() {
    std::vector<ValueInfo*> all;
    for (ValueId id = 0; id < originals_.size(); ++id)
      if (original(id) != DType::undefined && !is_given(id) && graph_.value(id).declared)
        all.push_back(&graph_.value(id));
    return all;
  }

  bool has_wide_form(ValueId id) const { return !is_given(id) || graph_.fact(id).is_tensor(); }

  Result<ValueId> wide(ValueId id) {
    if (original(id) == DType::undefined || !is_given(id)) return id;
    if (wide_[id] != kNoValue) return wide_[id];
    const ValueInfo& value = graph_.value(id);
    if (!value.fact.is_tensor()) return not_implemented("input {} is no tensor: it has no double form", value.name);
    if (weight_of(graph_, id) != nullptr) {
      SDX_ASSIGN(Tensor made, widened(value.fact.constant));
      wide_[id] = graph_.add_initializer(std::string(value.name), std::move(made));
      return wide_[id];
    }
    const ValueId made = graph_.add_value(std::string(value.name));
    SDX_TRY(add_cast(id, DType::f64, made));
    return wide_[id] = made;
  }

  Result<ValueId> narrow(ValueId id) {
    if (original(id) == DType::undefined || is_given(id)) return id;
    if (narrow_[id] != kNoValue) return narrow_[id];
    if (!graph_.fact(id).is_tensor()) return not_implemented("{} is no tensor", graph_.value(id).name);
    const ValueId made = graph_.add_value(std::string(graph_.value(id).name));
    SDX_TRY(add_cast(id, original(id), made));
    return narrow_[id] = made;
  }

  Status add_cast(ValueId from, DType type, ValueId to) {
    Node cast;
    cast.op = "Cast";
    cast.opset = ops::find_op("", "Cast")->contract->since;
    cast.inputs = {from};
    cast.outputs = {to};
    cast.attributes.set("to", static_cast<int64_t>(type));
    return ops::infer_node(graph_, graph_.add_node(std::move(cast)), budget_);
  }

  Status widen_node(NodeId id) {
    const std::vector<ValueId> inputs = graph_.node(id).inputs;
    if (has_subgraph(graph_.node(id))) {
      SDX_TRY(set_inputs(id, inputs, [](size_t) { return true; }));
      SDX_TRY(widen_subgraphs(id));
      SDX_TRY(ops::infer_node(graph_, id, budget_));
      return widen_outputs(id);
    }
    const Node& node = graph_.node(id);
    const ops::OpFacts* facts = node.domain.empty() ? ops::find_facts(node.domain, node.op, node.opset) : nullptr;
    bool done = false;
    if (node.op == "Cast" && node.domain.empty()) {
      SDX_TRY(widen_cast(id));
    } else if (node.op == "SequenceEmpty" && node.domain.empty()) {
      if (original(node.outputs[0]) != DType::undefined)
        graph_.node(id).attributes.set("dtype", static_cast<int64_t>(DType::f64));
    } else if (facts != nullptr && !names_a_type(node)) {
      SDX_TRY(set_inputs(id, inputs, [&](size_t i) {
        return has_wide_form(inputs[i]) && takes_double(*facts, i, originals_[inputs[i]]);
      }));
      done = ops::infer_node(graph_, id, budget_).ok();
      if (!done) SDX_TRY(set_inputs(id, inputs, [](size_t) { return false; }));
    } else {
      SDX_TRY(set_inputs(id, inputs, [](size_t) { return false; }));
    }
    if (!done) SDX_TRY(ops::infer_node(graph_, id, budget_));
    return widen_outputs(id);
  }

  template <typename Wanted>
  Status set_inputs(NodeId id, const std::vector<ValueId>& inputs, Wanted is_wide) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (original(inputs[i]) == DType::undefined) continue;
      SDX_ASSIGN(const ValueId given, is_wide(i) ? wide(inputs[i]) : narrow(inputs[i]));
      graph_.set_input(id, i, given);
    }
    return {};
  }

  // One that loses nothing has nothing to do; others round as the model says. Text has the digits of its type.
  Status widen_cast(NodeId id) {
    const ValueId x = graph_.node(id).inputs[0];
    const auto to = static_cast<DType>(graph_.node(id).attributes.get_int("to", 0));
    if (holds(to, original(x))) graph_.node(id).attributes.set("to", static_cast<int64_t>(DType::f64));
    return set_inputs(id, {x}, [&](size_t) { return to != DType::string; });
  }

  Status widen_subgraphs(NodeId id) {
    Node node = graph_.node(id);
    Status status;
    for_each_subgraph(node, [&](Graph& inner, const std::string&) {
      if (status.ok()) status = widen_inner(inner);
    });
    SDX_TRY(std::move(status));
    for (ValueId& capture : node.captures) {
      SDX_ASSIGN(capture, wide(capture));
    }
    graph_.remove_node(id);
    graph_.refill_node(id, std::move(node));
    return {};
  }

  Status widen_inner(Graph& inner) {
    Widening widening(inner, false, budget_);
    for (size_t i = 0; i < inner.captures().size(); ++i) {
      SDX_ASSIGN(const ValueId outer, wide(inner.captures()[i].outer));
      inner.set_capture_outer(i, outer);
      inner.value(inner.captures()[i].inner).fact = graph_.fact(outer);
    }
    return widening.run();
  }

  // What the node still makes in its own type is cast.
  Status widen_outputs(NodeId id) {
    const std::vector<ValueId> outputs = graph_.node(id).outputs;
    for (const ValueId output : outputs) {
      if (original(output) == DType::undefined || narrow_type(graph_.fact(output)) == DType::undefined) continue;
      if (!graph_.fact(output).is_tensor())
        return not_implemented("{} is no tensor: it has no double form", graph_.value(output).name);
      const ValueId made = graph_.add_value(std::string(graph_.value(output).name), graph_.fact(output));
      graph_.take_production(made, output);
      SDX_TRY(add_cast(made, DType::f64, output));
      narrow_[output] = made;
    }
    return {};
  }

  Graph& graph_;
  bool is_root_;
  ops::InferenceBudget& budget_;
  std::vector<Fact> originals_;
  std::vector<ValueId> wide_, narrow_;  // other forms of a value, once somebody wants them
};

}  // namespace

Status widen_floats(Graph& graph) {
  ops::InferenceBudget budget;
  return Widening(graph, true, budget).run().with_context("in double precision");
}

}  // namespace sdx::passes
