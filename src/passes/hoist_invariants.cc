// What the body of a Loop or Scan computes anew each time from values outside of it alone is computed once, in front of
// it. Only what can fail for no data: the body may run no time at all.
#include <algorithm>

#include "ops/op.h"
#include "passes/list.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

// Whatever the numbers are, these give some.
constexpr std::string_view kSafe[] = {
    "Abs",       "Add",     "BiasGelu",  "Cast",        "Concat",           "Cos",        "Div",
    "Elu",       "Equal",   "Erf",       "Exp",         "FastGelu",         "Floor",      "Gelu",
    "Gemm",      "Greater", "FusedGemm", "FusedMatMul", "HardSigmoid",      "HardSwish",  "LayerNormalization",
    "LeakyRelu", "Less",    "Log",       "LogSoftmax",  "MatMul",           "Max",        "Min",
    "Mul",       "Neg",     "Not",       "QuickGelu",   "RMSNormalization", "Reciprocal", "ReduceMean",
    "ReduceSum", "Relu",    "Sigmoid",   "Sin",         "Softmax",          "Softplus",   "Sqrt",
    "Sub",       "Sum",     "Swish",     "Tanh",        "Transpose",        "Where",
};

bool is_safe_op(const Graph& body, const Node& node) {
  if (!node.domain.empty() && node.domain != kContrib) return false;
  if (std::ranges::find(kSafe, node.op) == std::end(kSafe)) return false;
  for (const ValueId input : node.inputs)
    if (input != kNoValue && body.fact(input).dtype == DType::string) return false;
  const DType type = body.fact(node.outputs[0]).dtype;
  return type != DType::string && (node.op != "Div" || is_floating(type));
}

// Its shape rule has decided everything.
bool has_sure_shape(const Graph& body, const Node& node) {
  const bool second_is_shape = is_reshaping(node) || node.op == "ReduceMean" || node.op == "ReduceSum";
  if (second_is_shape && input_of(node, 1) != kNoValue && !body.fact(node.inputs[1]).is_constant()) return false;
  const auto* entry = ops::find_op(node.domain, node.op);
  return entry != nullptr && entry->contract->records_constraints && node.constraints.empty() &&
         body.fact(node.outputs[0]).is_tensor() && body.fact(node.outputs[0]).has_rank();
}

class Hoisting {
 public:
  Hoisting(PassContext& ctx, NodeId loop, Graph& body)
      : ctx_(ctx), graph_(ctx.graph()), loop_(loop), body_(body), outer_(body.value_slots(), kNoValue) {}

  Status run() {
    for (const Capture& capture : body_.captures()) outer_[capture.inner] = capture.outer;
    SDX_ASSIGN(const std::vector<NodeId> order, body_.topological_order());
    std::vector<bool> varies(body_.value_slots(), false), wanted(body_.value_slots(), false);
    for (ValueId id = 0; id < body_.value_slots(); ++id) {
      const ValueInfo& value = body_.value(id);
      varies[id] = value.is_input || (value.producer == kNoNode && !value.is_initializer && outer_[id] == kNoValue);
    }
    std::vector<NodeId> found;
    for (const NodeId id : order) {
      const Node& node = body_.node(id);
      const bool moves = is_invariant(node, varies) && may_move(node);
      for (const ValueId output : node.outputs)
        if (output != kNoValue) varies[output] = !moves;
      if (moves) found.push_back(id);
    }
    for (size_t i = found.size(); i-- > 0;) {  // what only shows its input in another shape goes where others want it
      const Node& node = body_.node(found[i]);
      if (is_reshaping(node) && !wanted[node.outputs[0]]) {
        found.erase(found.begin() + static_cast<ptrdiff_t>(i));
        continue;
      }
      for (const ValueId input : node.inputs)
        if (input != kNoValue) wanted[input] = true;
    }
    for (const NodeId id : found) {
      if (!ctx_.may_rewrite()) return {};
      move(id);
    }
    return {};
  }

 private:
  // Of values outside, of at least one that is no weight (those are folded).
  bool is_invariant(const Node& node, const std::vector<bool>& varies) const {
    if (!node.alive || !node.provider.empty() || node.outputs.size() != 1 || node.outputs[0] == kNoValue) return false;
    if (!node.captures.empty() || has_subgraph(node)) return false;
    const auto is_weight = [&](ValueId id) { return id == kNoValue || body_.fact(id).is_constant(); };
    return std::ranges::none_of(node.inputs, [&](ValueId id) { return id != kNoValue && varies[id]; }) &&
           !std::ranges::all_of(node.inputs, is_weight);
  }

  bool may_move(const Node& node) const {
    if (body_.is_output(node.outputs[0])) return false;
    if ((is_reshaping(node) || is_safe_op(body_, node)) && has_sure_shape(body_, node)) return true;
    ctx_.decline(loop_, formatted("{} uses nothing of the loop, but might fail where it does not run", node.label()));
    return false;
  }

  ValueId outside(ValueId inner) {
    if (inner == kNoValue || outer_[inner] != kNoValue) return inner == kNoValue ? inner : outer_[inner];
    const ValueInfo& weight = body_.value(inner);
    SDX_CHECK(weight.is_initializer, "a value that varies leaves its loop");
    const ValueId made = graph_.add_value(weight.name, weight.fact);
    ValueInfo& value = graph_.value(made);
    value.is_initializer = true;
    value.initial = weight.initial;
    return outer_[inner] = made;
  }

  void move(NodeId id) {
    Node node = body_.node(id);
    const ValueId inner = node.outputs[0];
    for (ValueId& input : node.inputs) input = outside(input);
    const ValueId made = graph_.add_value(body_.value(inner).name, body_.fact(inner));
    node.outputs[0] = made;
    node.group = 0;
    ctx_.note(formatted("{} in front of {}", node.op, graph_.node(loop_).op), node.origins);
    graph_.add_node(std::move(node));
    body_.remove_node(id);
    const ValueId captured = body_.add_capture(made, body_.value(inner).name, graph_.fact(made));
    body_.replace_uses(inner, captured);
    graph_.node(loop_).captures.push_back(made);
    graph_.value(made).users.push_back(loop_);
    outer_.resize(body_.value_slots(), kNoValue);
    outer_[inner] = outer_[captured] = made;
  }

  PassContext& ctx_;
  Graph& graph_;
  const NodeId loop_;
  Graph& body_;
  std::vector<ValueId> outer_;  // of the body's values: the same outside
};

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    Node& node = ctx.graph().node(id);
    if (!is_op(node, "Loop") && !is_op(node, "Scan")) continue;
    if (const auto* body = node.attributes.get<GraphBox>("body")) SDX_TRY(Hoisting(ctx, id, **body).run());
  }
  return {};
}

}  // namespace

constinit const Pass hoist_invariants{"hoist_invariants", Level::extended, Exactness::bits,
                                      "computes once, in front of a loop, what is the same each time", run};

}  // namespace sdx::passes
