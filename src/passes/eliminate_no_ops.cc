// Nodes whose output is their input: their users take the input instead.
#include <algorithm>
#include <cmath>

#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool all_are(const std::optional<std::vector<int64_t>>& values, int64_t wanted) {
  return values && std::ranges::all_of(*values, [&](int64_t value) { return value == wanted; });
}

// Mul and Div by 1; Add of -0 and Sub of 0, which keep the sign of zero. Whole numbers: any zero.
bool is_neutral(const Graph& graph, const Node& node, size_t operand) {
  const auto value = uniform_value(graph, node.inputs[operand]);
  if (!value) return false;
  const bool whole = is_integer(graph.fact(node.inputs[operand]).dtype);
  if (is_op(node, "Mul")) return *value == 1;
  if (is_op(node, "Div") || is_op(node, "Pow")) return operand == 1 && *value == 1;
  if (is_op(node, "Add")) return *value == 0 && (whole || std::signbit(*value));
  if (is_op(node, "Sub")) return operand == 1 && *value == 0 && (whole || !std::signbit(*value));
  return false;
}

bool is_plain_slice(const Graph& graph, const Node& node) {
  return input_of(node, 4) == kNoValue || all_are(ints_of(graph, node.inputs[4]), 1);
}

bool never_trains(const Graph& graph, const Node& node) {
  const ValueId training = input_of(node, 2);
  return training == kNoValue || uniform_value(graph, training) == 0;
}

// x of Op(Op(x)), for operators that undo themselves.
ValueId undone(const Graph& graph, const Node& node) {
  for (const std::string_view op : {"Not", "Neg", "BitwiseNot"}) {
    if (!is_op(node, op)) continue;
    const Node* inner = made_by(graph, node.inputs[0], op);
    return inner == nullptr ? kNoValue : inner->inputs[0];
  }
  return kNoValue;
}

// The start of a chain of reshapings.
ValueId chain_start(const Graph& graph, ValueId value) {
  for (int steps = 0; steps < 64; ++steps) {
    const NodeId id = producer_of(graph, value);
    if (id == kNoNode || !is_reshaping(graph.node(id))) break;
    value = graph.node(id).inputs[0];
  }
  return value;
}

// The value that output 0 equals; kNoValue: none.
ValueId equal_of(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.outputs.empty() || node.outputs[0] == kNoValue || node.inputs[0] == kNoValue)
    return kNoValue;
  const ValueId x = node.inputs[0], y = node.outputs[0];
  if (!node.domain.empty()) return kNoValue;
  if (node.op == "Identity") return x;
  if (node.op == "Dropout") return never_trains(graph, node) && !uses_other_outputs(graph, node) ? x : kNoValue;
  if (node.op == "Cast" || node.op == "CastLike") return same_type(graph, x, y) ? x : kNoValue;
  if (node.op == "Clip") return input_of(node, 1) == kNoValue && input_of(node, 2) == kNoValue ? x : kNoValue;
  if (node.inputs.size() == 1 &&
      (node.op == "Concat" || node.op == "Sum" || node.op == "Max" || node.op == "Min" || node.op == "Mean"))
    return x;
  if (node.op == "Transpose") {
    const auto perm = node.attributes.get_ints("perm");
    if (perm.empty()) return graph.fact(x).has_rank() && graph.fact(x).rank() <= 1 ? x : kNoValue;
    return std::ranges::is_sorted(perm) ? x : kNoValue;
  }
  if (const ValueId inner = undone(graph, node); inner != kNoValue) return inner;
  if (is_reshaping(node)) {
    const ValueId start = chain_start(graph, y);
    for (const ValueId candidate : {x, start})
      if (same_type_and_dims(graph, candidate, y)) return candidate;
    return kNoValue;
  }
  for (const size_t operand : {size_t{1}, size_t{0}}) {
    if (node.inputs.size() != 2 || !is_neutral(graph, node, operand)) continue;
    return same_type_and_dims(graph, node.inputs[1 - operand], y) ? node.inputs[1 - operand] : kNoValue;
  }
  if (node.op == "Where") {
    const auto condition = uniform_value(graph, x);
    if (!condition) return kNoValue;
    const ValueId chosen = node.inputs[*condition != 0 ? 1 : 2];
    return same_type_and_dims(graph, chosen, y) ? chosen : kNoValue;
  }
  const bool keeps_elements = node.op == "Expand" || node.op == "Tile" ||
                              (node.op == "Slice" && is_plain_slice(graph, node)) ||
                              (node.op == "Pad" && all_are(ints_of(graph, input_of(node, 1)), 0));
  return keeps_elements && same_type_and_dims(graph, x, y) ? x : kNoValue;
}

Status run(PassContext& ctx) {
  Graph& graph = ctx.graph();
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    if (!node.alive) continue;
    const ValueId equal = equal_of(graph, node);
    if (equal == kNoValue || graph.fact(equal).kind != graph.fact(node.outputs[0]).kind) continue;
    Rewrite rewrite(ctx, node.op);
    const ValueId output = node.outputs[0];
    rewrite.take(id).forward(output, equal);
    rewrite.apply();
  }
  return {};
}

}  // namespace

constinit const Pass eliminate_no_ops{"eliminate_no_ops", Level::basic, Exactness::bits,
                                      "removes nodes whose output is their input", run};

}  // namespace sdx::passes
