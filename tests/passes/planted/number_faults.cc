// Arithmetic that holds for real numbers, or for most.
#include "base/element.h"
#include "tests/passes/planted/fault.h"

namespace sdx::passes::planted {
namespace {

bool is_number(const Graph& graph, ValueId value, double wanted) { return uniform_value(graph, value) == wanted; }

NewNode cast(ValueId x, DType to) {
  return {.op = "Cast", .inputs = {x}, .attributes = make_attributes({{"to", static_cast<int64_t>(to)}})};
}

// (1 / x) * y is y / x: not for integers.
Status div_mul_run(PassContext& ctx) {
  return for_each_node(ctx, "Mul", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& mul = graph.node(id);
    const Node* div = made_by(graph, mul.inputs[0], "Div");
    if (div == nullptr || !is_number(graph, div->inputs[0], 1) || !has_one_use(graph, mul.inputs[0])) return;
    Rewrite rewrite(ctx, "Div + Mul");
    rewrite.take(producer_of(graph, mul.inputs[0])).take(id);
    rewrite.become(mul.outputs[0], rewrite.add({.op = "Div", .inputs = {mul.inputs[1], div->inputs[1]}}));
    rewrite.apply();
  });
}

// The same behind an Identity, which goes too, but whose output stays in use.
Status div_mul_of_removed_run(PassContext& ctx) {
  return for_each_node(ctx, "Mul", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& mul = graph.node(id);
    const Node* div = made_by(graph, mul.inputs[0], "Div");
    if (div == nullptr || made_by(graph, mul.inputs[1], "Identity") == nullptr) return;
    Rewrite rewrite(ctx, "Div + Mul + Identity");
    rewrite.take(producer_of(graph, mul.inputs[0])).take(producer_of(graph, mul.inputs[1])).take(id);
    rewrite.become(mul.outputs[0], rewrite.add({.op = "Div", .inputs = {mul.inputs[1], div->inputs[1]}}));
    rewrite.apply();
  });
}

// x / 2 of integers is the floor of x * 0.5: not of negative odd ones.
Status halved_run(PassContext& ctx) {
  return for_each_node(ctx, "Div", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& div = graph.node(id);
    const DType type = graph.fact(div.outputs[0]).dtype;
    if (!is_integer(type) || !is_number(graph, div.inputs[1], 2)) return;
    auto half = Tensor::allocate(DType::f64, Shape{});
    if (!half.ok()) return;
    store_double(*half, 0, 0.5);
    Rewrite rewrite(ctx, "Div by 2");
    rewrite.take(id);
    const ValueId wide = rewrite.add(cast(div.inputs[0], DType::f64));
    const ValueId product = rewrite.add({.op = "Mul", .inputs = {wide, rewrite.constant("half", *half)}});
    const ValueId whole = rewrite.add({.op = "Floor", .inputs = {product}});
    rewrite.become(div.outputs[0], rewrite.add(cast(whole, type)));
    rewrite.apply();
  });
}

// Two casts are the second one: not where the first loses digits.
Status cast_to_bool_run(PassContext& ctx) {
  return for_each_node(ctx, "Cast", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& outer = graph.node(id);
    const Node* inner = made_by(graph, outer.inputs[0], "Cast");
    if (inner == nullptr || graph.fact(outer.outputs[0]).dtype != DType::boolean) return;
    Rewrite rewrite(ctx, "Cast + Cast");
    rewrite.take(producer_of(graph, outer.inputs[0])).take(id);
    rewrite.become(outer.outputs[0], rewrite.add(cast(inner->inputs[0], DType::boolean)));
    rewrite.apply();
  });
}

// Max(x, c) is x where that is greater, else c: NaN is not greater.
Status max_without_nan_run(PassContext& ctx) {
  return for_each_node(ctx, "Max", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& max = graph.node(id);
    if (max.inputs.size() != 2 || !uniform_value(graph, max.inputs[1])) return;
    const ValueId x = max.inputs[0], least = max.inputs[1];
    Rewrite rewrite(ctx, "Max with a number");
    rewrite.take(id);
    const ValueId greater = rewrite.add({.op = "Greater", .inputs = {x, least}});
    rewrite.become(max.outputs[0], rewrite.add({.op = "Where", .inputs = {greater, x, least}}));
    rewrite.apply();
  });
}

// The largest of booleans is that of small integers: not of none, whose largest is the least there is.
Status max_of_bools_run(PassContext& ctx) {
  return for_each_node(ctx, "ReduceMax", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& max = graph.node(id);
    if (graph.fact(max.inputs[0]).dtype != DType::boolean) return;
    Rewrite rewrite(ctx, "ReduceMax of booleans");
    rewrite.take(id);
    std::vector<ValueId> inputs = max.inputs;
    inputs[0] = rewrite.add(cast(inputs[0], DType::i8));
    const ValueId made = rewrite.add({.op = "ReduceMax", .inputs = inputs, .attributes = max.attributes});
    rewrite.become(max.outputs[0], rewrite.add(cast(made, DType::boolean)));
    rewrite.apply();
  });
}

// Zero points are one number: not where each row has its own.
Status row_zero_points_run(PassContext& ctx) {
  return for_each_node(ctx, "MatMulInteger", [&](NodeId id) {
    const Graph& graph = ctx.graph();
    const Node& product = graph.node(id);
    const ValueId points = input_of(product, 2);
    const Tensor* weight = points == kNoValue ? nullptr : small_weight_of(graph, points);
    if (weight == nullptr || weight->rank() != 1) return;
    auto one = Tensor::allocate(weight->dtype(), Shape{});
    if (!one.ok()) return;
    store_i64(*one, 0, load_i64(*weight, 0));
    Rewrite rewrite(ctx, "MatMulInteger by one zero point");
    rewrite.take(id);
    std::vector<ValueId> inputs = product.inputs;
    inputs[2] = rewrite.constant("point", *one);
    rewrite.become(product.outputs[0], rewrite.add({.op = "MatMulInteger", .inputs = inputs}));
    rewrite.apply();
  });
}

}  // namespace

constinit const Pass div_mul = fault("planted_div_mul", "forgets that integers truncate", div_mul_run);
constinit const Pass div_mul_of_removed =
    fault("planted_div_mul_of_removed", "uses what a removed node made", div_mul_of_removed_run);
constinit const Pass halved = fault("planted_halved", "forgets that division truncates towards zero", halved_run);
constinit const Pass cast_to_bool = fault("planted_cast_to_bool", "forgets the cast in between", cast_to_bool_run);
constinit const Pass max_without_nan = fault("planted_max_without_nan", "forgets NaN", max_without_nan_run);
constinit const Pass max_of_bools = fault("planted_max_of_bools", "forgets the empty set", max_of_bools_run);
constinit const Pass row_zero_points =
    fault("planted_row_zero_points", "takes the first zero point for all rows", row_zero_points_run);

}  // namespace sdx::passes::planted
