#include "passes/elementwise_steps.h"

#include <algorithm>
#include <limits>
#include <map>

#include "ops/math/elementwise_program.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

using ops::ElementwiseProgram;
using ops::ElementwiseStep;
using Operand = ElementwiseStep::Operand;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What a node says, as steps over its inputs.
struct Form {
  std::string_view op;     // a step's name
  bool adds_bias = false;  // an Add of the second input comes before
  ops::Parameters numbers = {};
  int power = 1;  // x, x * x, x * x * x
};

std::optional<float> bound(const Graph& graph, const Node& node, size_t i, float otherwise) {
  const ValueId value = input_of(node, i);
  if (value == kNoValue) return otherwise;
  const auto number = uniform_value(graph, value);
  return number ? std::optional(static_cast<float>(*number)) : std::nullopt;
}

std::optional<Form> form_of(const Graph& graph, const Node& node) {
  const auto number = [&](std::string_view name, float otherwise) {
    return node.attributes.get_float(name, otherwise);
  };
  if (node.domain == kContrib) {
    if (node.op == "Gelu") return Form{"Gelu"};
    if (node.op == "BiasGelu") return Form{"Gelu", true};
    if (node.op == "FastGelu") return Form{"TanhGelu", input_of(node, 1) != kNoValue};
    if (node.op == "QuickGelu") return Form{.op = "Swish", .numbers = {number("alpha", 1.702f)}};
    return std::nullopt;
  }
  if (!node.domain.empty()) return std::nullopt;
  if (node.op == "Gelu") return Form{node.attributes.get_string("approximate", "none") == "tanh" ? "TanhGelu" : "Gelu"};
  if (node.op == "Pow") {
    const auto exponent = bound(graph, node, 1, 0);
    if (!exponent || (*exponent != 2 && *exponent != 3)) return std::nullopt;
    return Form{.op = "Mul", .power = static_cast<int>(*exponent)};
  }
  if (node.op == "Clip") {
    const auto low = bound(graph, node, 1, -kInfinity), high = bound(graph, node, 2, kInfinity);
    return low && high ? std::optional(Form{.op = "Clip", .numbers = {*low, *high}}) : std::nullopt;
  }
  const ops::ElementwiseOperator* op = ops::find_elementwise(node.op);
  if (op == nullptr || node.op == "TanhGelu" || node.inputs.size() != static_cast<size_t>(op->operands))
    return std::nullopt;
  Form form{op->name};
  if (node.op == "LeakyRelu") form.numbers = {number("alpha", 0.01f)};
  if (node.op == "HardSigmoid") form.numbers = {number("alpha", 0.2f), number("beta", 0.5f)};
  if (node.op == "Swish" || node.op == "ThresholdedRelu") form.numbers = {number("alpha", 1.0f)};
  return form;
}

class Writer {
 public:
  Writer(const Graph& graph, std::span<const NodeId> nodes, ValueId first) : graph_(graph), nodes_(nodes) {
    if (first != kNoValue) inputs_.push_back(first);
    rank_ = graph.fact(graph.node(nodes[0]).outputs[0]).rank();
  }

  std::optional<ElementwiseSteps> write() {
    node(nodes_[0]);
    if (inputs_.empty() || inputs_.size() > ElementwiseProgram::kMaxInputs) return std::nullopt;
    if (!ElementwiseProgram::of(steps_).ok()) return std::nullopt;
    ElementwiseSteps made{.inputs = inputs_};
    for (const ElementwiseStep& step : steps_) made.texts.push_back(ops::step_text(step));
    return made;
  }

 private:
  Operand node(NodeId id) {
    const auto known = made_.find(id);
    if (known != made_.end()) return known->second;
    const Node& node = graph_.node(id);
    const Form form = *form_of(graph_, node);
    const Operand x = value(node.inputs[0]);
    Operand y = x;
    if (form.adds_bias) y = add({.op = ops::find_elementwise("Add"), .operands = {x, value(node.inputs[1])}});
    const ops::ElementwiseOperator* op = ops::find_elementwise(form.op);
    if (form.power > 1) {
      for (int i = 1; i < form.power; ++i) y = add({.op = op, .operands = {y, x}});
    } else {
      ElementwiseStep step{.op = op, .operands = {y}, .parameters = form.numbers};
      if (op->operands == 2) step.operands[1] = value(node.inputs[1]);
      y = add(step);
    }
    made_[id] = y;
    return y;
  }
  Operand add(const ElementwiseStep& step) {
    steps_.push_back(step);
    return {Operand::Kind::step, steps_.size() - 1};
  }
  Operand value(ValueId value) {
    const NodeId maker = producer_of(graph_, value);
    if (maker != kNoNode && std::find(nodes_.begin(), nodes_.end(), maker) != nodes_.end()) return node(maker);
    const Tensor* weight = weight_of(graph_, value);
    if (weight != nullptr && weight->count() == 1 && weight->rank() <= rank_)
      return {Operand::Kind::number, 0, static_cast<float>(*uniform_value(graph_, value))};
    const auto found = std::find(inputs_.begin(), inputs_.end(), value);
    if (found != inputs_.end()) return {Operand::Kind::input, static_cast<size_t>(found - inputs_.begin())};
    inputs_.push_back(value);
    return {Operand::Kind::input, inputs_.size() - 1};
  }

  const Graph& graph_;
  const std::span<const NodeId> nodes_;
  int rank_ = 0;
  std::vector<ValueId> inputs_;
  std::vector<ElementwiseStep> steps_;
  std::map<NodeId, Operand> made_;
};

}  // namespace

bool elementwise_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.outputs.empty() || node.outputs[0] == kNoValue) return false;
  if (!graph.fact(node.outputs[0]).has_rank() || graph.fact(node.outputs[0]).dtype != DType::f32) return false;
  for (const ValueId input : node.inputs)
    if (input != kNoValue && graph.fact(input).dtype != DType::f32) return false;
  return !node.inputs.empty() && node.inputs[0] != kNoValue && form_of(graph, node).has_value();
}

std::optional<ElementwiseSteps> program_of(const Graph& graph, std::span<const NodeId> nodes, ValueId first) {
  return Writer(graph, nodes, first).write();
}

}  // namespace sdx::passes
