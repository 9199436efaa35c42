// Gelu and its relatives, as exporters spell them out: x/2 (1 + erf(x/sqrt 2)), the tanh form, x sigmoid(1.702 x); and
// a bias in front.
#include <array>
#include <cmath>
#include <numbers>

#include "passes/list.h"
#include "passes/pattern.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

// a * b * c, as any of the ways to put two Muls.
Pattern product(const Pattern& a, const Pattern& b, const Pattern& c) {
  return either(
      {op("Mul", {op("Mul", {a, b}), c}), op("Mul", {op("Mul", {a, c}), b}), op("Mul", {op("Mul", {b, c}), a})});
}

Pattern erf_gelu() {
  const Pattern x = any("x");
  const Pattern argument =
      either({op("Div", {x, number(std::numbers::sqrt2)}), op("Mul", {x, number(1 / std::numbers::sqrt2)})});
  const Pattern one_plus = op("Add", {op("Erf", {argument}), number(1)});
  return either({product(x, one_plus, number(0.5)), op("Mul", {op("Div", {x, number(2)}), one_plus})});
}

Pattern tanh_gelu() {
  const Pattern x = any("x");
  const Pattern cube = either({op("Pow", {x, number(3)}), op("Mul", {op("Mul", {x, x}), x})});
  const Pattern inner = op("Add", {x, op("Mul", {cube, number(0.044715)})});
  const Pattern root = number(std::sqrt(2 / std::numbers::pi));
  const Pattern one_plus = op("Add", {product(x, x, number(0.044715)), number(1)});
  const Pattern scaled = either({op("Mul", {inner, root}), product(x, root, one_plus)});
  return product(x, op("Add", {op("Tanh", {scaled}), number(1)}), number(0.5));
}

Pattern sigmoid_gelu() {
  const Pattern x = any("x");
  return op("Mul", {x, op("Sigmoid", {op("Mul", {x, weight("alpha")})})});
}

Pattern swish() {
  const Pattern x = any("x");
  return op("Mul", {x, op("Sigmoid", {x})});
}

struct Form {
  Pattern pattern;
  std::string_view op;
  bool has_alpha = false;  // QuickGelu's attribute: a weight, or 1
};

const std::array<Form, 4>& forms() {
  static const std::array<Form, 4> list = {Form{erf_gelu(), "Gelu"}, Form{tanh_gelu(), "FastGelu"},
                                           Form{sigmoid_gelu(), "QuickGelu", true}, Form{swish(), "QuickGelu", true}};
  return list;
}

bool fuse(PassContext& ctx, NodeId id, const Form& form) {
  const Graph& graph = ctx.graph();
  const auto match = find(graph, id, form.pattern);
  if (!match) return false;
  const ValueId x = match->value("x"), y = graph.node(id).outputs[0];
  if (!is_floating(graph.fact(x).dtype) || !same_type_and_dims(graph, x, y)) return false;
  Attributes attributes;
  if (form.has_alpha) {
    const auto alpha = match->value("alpha") == kNoValue ? 1.0 : uniform_value(graph, match->value("alpha"));
    if (!alpha || !fits_attribute(*alpha, graph.fact(x).dtype)) return false;
    attributes.set("alpha", static_cast<float>(*alpha));
  }
  Rewrite rewrite(ctx, form.op);
  for (const NodeId node : match->nodes()) rewrite.take(node);
  rewrite.become(y, rewrite.add({.op = form.op, .domain = kContrib, .inputs = {x}, .attributes = attributes}));
  return rewrite.apply();
}

// BiasGelu and FastGelu take a bias along the last axis.
void take_bias(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& gelu = graph.node(id);
  const bool fast = is_op(gelu, "FastGelu", kContrib);
  if (!fast && !is_op(gelu, "Gelu", kContrib)) return;
  if (gelu.inputs.size() != 1) return;
  const Node* add = made_by(graph, gelu.inputs[0], "Add");
  if (add == nullptr || !has_one_use(graph, gelu.inputs[0])) return;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const Tensor* bias = weight_of(graph, add->inputs[i]);
    const ValueId x = add->inputs[1 - i];
    const Fact& fact = graph.fact(x);
    if (bias == nullptr || bias->rank() != 1 || !fact.has_rank() || fact.rank() < 1) continue;
    if (!fact.dim(fact.rank() - 1).is(bias->dim(0)) || !same_type_and_dims(graph, x, gelu.inputs[0])) continue;
    const std::string_view op = fast ? "FastGelu" : "BiasGelu";
    Rewrite rewrite(ctx, formatted("Add + {}", gelu.op));
    rewrite.take(producer_of(graph, gelu.inputs[0])).take(id);
    rewrite.become(gelu.outputs[0], rewrite.add({.op = op, .domain = kContrib, .inputs = {x, add->inputs[i]}}));
    rewrite.apply();
    return;
  }
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (size_t i = order.size(); i-- > 0;) {
    if (!is_op(ctx.graph().node(order[i]), "Mul")) continue;
    for (const Form& form : forms())
      if (fuse(ctx, order[i], form)) break;
  }
  SDX_ASSIGN(const std::vector<NodeId> after, ctx.order());
  for (const NodeId id : after) take_bias(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_gelu{"fuse_gelu", Level::extended, Exactness::rounding,
                               "makes one node of Gelu, its approximations and a bias before them", run};

}  // namespace sdx::passes
