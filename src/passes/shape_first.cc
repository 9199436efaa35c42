// A transpose, reshaping or expansion of which only dimensions are wanted is not made where its operand has the same:
// Gather(Shape(Transpose(x)), i) = Gather(Shape(x), perm[i]).
#include <algorithm>

#include "base/element.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_plain_shape(const Node& node) {
  return is_op(node, "Shape") && node.attributes.get_int("start", 0) == 0 && !node.attributes.has("end");
}

// Nobody wants its elements.
bool is_only_measured(const Graph& graph, ValueId value) {
  return !graph.is_output(value) &&
         std::ranges::all_of(graph.value(value).users, [&](NodeId user) { return is_plain_shape(graph.node(user)); });
}

// One that is there already; else kNoNode.
NodeId shape_of(const Graph& graph, ValueId value) {
  for (const NodeId user : graph.value(value).users)
    if (is_plain_shape(graph.node(user))) return user;
  return kNoNode;
}

// Axes of `before` that are provably as long as those of `value` that the index names, as the tensor of the index.
std::optional<Tensor> same_axes(const Graph& graph, ValueId index, ValueId value, ValueId before) {
  const auto numbers = ints_of(graph, index);
  const Fact &made = graph.fact(value), &source = graph.fact(before);
  if (!numbers || !made.has_rank() || !source.has_rank()) return std::nullopt;
  auto axes = Tensor::allocate(DType::i64, weight_of(graph, index)->shape());
  if (!axes.ok()) return std::nullopt;
  for (size_t i = 0; i < numbers->size(); ++i) {
    const int64_t at = (*numbers)[i] + ((*numbers)[i] < 0 ? made.rank() : 0);
    if (at < 0 || at >= made.rank()) return std::nullopt;
    int axis = 0;
    while (axis < source.rank() &&
           graph.symbols().equal(source.dim(axis), made.dim(static_cast<int>(at))) != Truth::yes)
      ++axis;
    if (axis == source.rank()) return std::nullopt;
    store_i64(*axes, static_cast<int64_t>(i), axis);
  }
  return std::move(axes).value();
}

// The value without what only gave it another form.
ValueId before_form(const Graph& graph, ValueId value) {
  for (const std::string_view op : {"Transpose", "Reshape", "Unsqueeze", "Expand"})
    if (const Node* node = made_by(graph, value, op)) return node->inputs[0];
  return kNoValue;
}

bool look_up(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& node = graph.node(id);
  const Node* shape = made_by(graph, node.inputs[0], "Shape");
  if (shape == nullptr || !is_plain_shape(*shape)) return false;
  const ValueId formed = shape->inputs[0], before = before_form(graph, formed);
  if (before == kNoValue || !is_only_measured(graph, formed)) return false;
  auto axes = same_axes(graph, node.inputs[1], formed, before);
  if (!axes) return false;
  Rewrite rewrite(ctx, "Shape first");
  const ValueId kept[] = {before};
  const std::vector<NodeId> taken = with_what_they_alone_need(graph, {id}, kept);
  for (const NodeId one : taken) rewrite.take(one);
  NodeId known = shape_of(graph, before);
  if (std::ranges::find(taken, known) != taken.end()) known = kNoNode;
  const ValueId dims =
      known != kNoNode ? graph.node(known).outputs[0] : rewrite.add({.op = "Shape", .inputs = {before}});
  const ValueId axis = rewrite.constant("axis", std::move(*axes));
  rewrite.become(node.outputs[0], rewrite.add({.op = "Gather", .inputs = {dims, axis}}));
  return rewrite.apply();
}

Status run(PassContext& ctx) {
  for (bool changed = true; changed;) {  // one form behind another
    changed = false;
    SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
    for (const NodeId id : order)
      if (is_op(ctx.graph().node(id), "Gather")) changed = look_up(ctx, id) || changed;
  }
  return {};
}

}  // namespace

constinit const Pass shape_first{"shape_first", Level::layout, Exactness::bits,
                                 "looks up dimensions before what only gave a value another form", run};

}  // namespace sdx::passes
