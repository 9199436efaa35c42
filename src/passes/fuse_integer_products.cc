// The float tail of an integer product: MatMulInteger, Cast, Mul by the scales, Add of a bias become
// MatMulIntegerToFloat; with the quantization of its input before it, where nobody else needs that,
// DynamicQuantizeMatMul.
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

bool is_scalar(const Graph& graph, ValueId value) {
  const auto shape = graph.fact(value).known_shape();
  return shape && shape->size() <= 1 && count_of(*shape) == 1;
}

// One value, or one a column of y, on its last axis alone.
bool is_along_columns(const Graph& graph, ValueId value, ValueId y) {
  if (is_scalar(graph, value)) return true;
  const Fact &fact = graph.fact(value), &of_y = graph.fact(y);
  return fact.has_rank() && fact.rank() == 1 && of_y.has_rank() && of_y.rank() >= 2 &&
         graph.symbols().equal(fact.dim(0), of_y.dim(of_y.rank() - 1)) == Truth::yes;
}

struct Tail {
  NodeId product = kNoNode, cast = kNoNode, mul = kNoNode, scales = kNoNode, add = kNoNode;
  ValueId a_scale = kNoValue, b_scale = kNoValue, bias = kNoValue, y = kNoValue;
};

ValueId other_input(const Node& node, ValueId value) { return node.inputs[node.inputs[0] == value ? 1 : 0]; }

std::optional<Tail> tail_of(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& product = graph.node(id);
  const ValueId sums = product.outputs[0];
  Tail tail{.product = id, .cast = only_user(graph, sums)};
  if (tail.cast == kNoNode || !is_op(graph.node(tail.cast), "Cast")) return std::nullopt;
  const ValueId floats = graph.node(tail.cast).outputs[0];
  tail.mul = only_user(graph, floats);
  if (tail.mul == kNoNode || !is_op(graph.node(tail.mul), "Mul") || graph.fact(floats).dtype != DType::f32)
    return std::nullopt;
  const ValueId factor = other_input(graph.node(tail.mul), floats);
  const Node* scales = made_by(graph, factor, "Mul");
  if (scales == nullptr) {
    ctx.decline(tail.mul, "MatMulInteger + Cast + Mul: the factor is no product of two scales");
    return std::nullopt;
  }
  // Of two scalars, a's is the one that its quantization made.
  const bool first =
      is_scalar(graph, scales->inputs[0]) && made_by(graph, scales->inputs[1], "DynamicQuantizeLinear") == nullptr;
  tail.a_scale = scales->inputs[first ? 0 : 1];
  tail.b_scale = scales->inputs[first ? 1 : 0];
  if (!is_scalar(graph, tail.a_scale) || !is_along_columns(graph, tail.b_scale, sums) ||
      (input_of(product, 2) != kNoValue && !is_scalar(graph, product.inputs[2])) ||
      (input_of(product, 3) != kNoValue && !is_along_columns(graph, product.inputs[3], sums))) {
    ctx.decline(tail.mul, "MatMulInteger + Cast + Mul: scales and zero points are not one for all, or one a column");
    return std::nullopt;
  }
  if (has_one_use(graph, factor)) tail.scales = producer_of(graph, factor);
  tail.y = graph.node(tail.mul).outputs[0];
  const NodeId add = only_user(graph, tail.y);
  if (add == kNoNode || !is_op(graph.node(add), "Add")) return tail;
  const ValueId bias = other_input(graph.node(add), tail.y);
  if (weight_of(graph, bias) == nullptr || graph.fact(bias).rank() != 1 || is_scalar(graph, bias) ||
      !is_along_columns(graph, bias, sums))
    return tail;
  tail.add = add;
  tail.bias = bias;
  tail.y = graph.node(add).outputs[0];
  return tail;
}

// The quantization of the product's input, where all that it makes is for this product.
const Node* own_quantization(const Graph& graph, const Tail& tail) {
  const Node& product = graph.node(tail.product);
  const Node* made = made_by(graph, product.inputs[0], "DynamicQuantizeLinear");
  if (made == nullptr || made->outputs.size() != 3 || tail.scales == kNoNode) return nullptr;
  if (made->outputs[1] != tail.a_scale || made->outputs[2] != input_of(product, 2)) return nullptr;
  for (const ValueId output : made->outputs)
    if (!has_one_use(graph, output)) return nullptr;
  return made;
}

void fuse(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const auto tail = tail_of(ctx, id);
  if (!tail) return;
  const Node& product = graph.node(id);
  const ValueId b = product.inputs[1], a_zero = input_of(product, 2), b_zero = input_of(product, 3);
  Rewrite rewrite(ctx, tail->bias == kNoValue ? "MatMulInteger + Cast + Mul" : "MatMulInteger + Cast + Mul + Add");
  for (const NodeId node : {tail->product, tail->cast, tail->mul, tail->scales, tail->add})
    if (node != kNoNode) rewrite.take(node);
  const Node* quantization = own_quantization(graph, *tail);
  NewNode made{.op = "MatMulIntegerToFloat",
               .domain = kContrib,
               .inputs = {product.inputs[0], b, tail->a_scale, tail->b_scale, a_zero, b_zero, tail->bias}};
  if (quantization != nullptr) {
    rewrite.rename(formatted("DynamicQuantizeLinear + {}", "MatMulInteger"));
    rewrite.take(producer_of(graph, product.inputs[0]));
    made.op = "DynamicQuantizeMatMul";
    made.inputs = {quantization->inputs[0], b, tail->b_scale, b_zero, tail->bias};
  }
  while (made.inputs.back() == kNoValue) made.inputs.pop_back();
  rewrite.become(tail->y, rewrite.add(made));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (is_op(ctx.graph().node(id), "MatMulInteger")) fuse(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_integer_products{"fuse_integer_products", Level::extended, Exactness::rounding,
                                           "makes one node of an integer product and its way back to floats", run};

}  // namespace sdx::passes
