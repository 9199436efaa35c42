// A product by a matrix and the elementwise operators behind it become one node.
#include <algorithm>

#include "passes/elementwise_steps.h"
#include "passes/list.h"
#include "passes/patterns.h"
#include "passes/rewrite.h"

namespace sdx::passes {
namespace {

constexpr size_t kMostSteps = 8;

bool is_product(const Node& node) {
  if (is_op(node, "BiasMatMul", kOwn)) return node.attributes.find("steps") == nullptr;
  return is_op(node, "MatMul") || (is_op(node, "FusedMatMul", kContrib) && node.attributes.get_float("alpha", 1) == 1);
}

// Beside the product: as large, a number a column, or one number.
bool fits(const Graph& graph, ValueId operand, ValueId product) {
  if (same_type_and_dims(graph, operand, product)) return true;
  const Fact &x = graph.fact(operand), &y = graph.fact(product);
  if (!x.has_rank() || x.rank() > y.rank()) return false;
  for (int axis = 0; axis + 1 < x.rank(); ++axis)
    if (!x.dim(axis).is(1)) return false;
  return x.rank() == 0 || x.dim(x.rank() - 1).is(1) || x.dim(x.rank() - 1) == y.dim(y.rank() - 1);
}

// The node behind `value` that could be a step.
NodeId next_step(const Graph& graph, ValueId value, ValueId product) {
  const NodeId user = only_user(graph, value);
  if (user == kNoNode || !elementwise_of(graph, user)) return kNoNode;
  const Node& node = graph.node(user);
  if (!same_type_and_dims(graph, node.outputs[0], product)) return kNoNode;
  const auto fitting = [&](ValueId input) {
    return input == kNoValue || input == value || fits(graph, input, product);
  };
  return std::all_of(node.inputs.begin(), node.inputs.end(), fitting) ? user : kNoNode;
}

void fuse(PassContext& ctx, NodeId id) {
  const Graph& graph = ctx.graph();
  const Node& product = graph.node(id);
  const ValueId y = product.outputs[0];
  if (graph.fact(y).dtype != DType::f32 || !graph.fact(y).has_rank() || graph.fact(y).rank() < 2) return;
  std::vector<NodeId> steps;  // the last one first
  std::optional<ElementwiseSteps> program;
  ValueId last = y;
  while (steps.size() < kMostSteps) {
    const NodeId step = next_step(graph, last, y);
    if (step == kNoNode) break;
    steps.insert(steps.begin(), step);
    auto longer = program_of(graph, steps, y);
    if (!longer) {
      steps.erase(steps.begin());
      break;
    }
    program = std::move(longer);
    last = graph.node(step).outputs[0];
  }
  if (!program) return;
  Rewrite rewrite(ctx, "");
  rewrite.take(id);
  std::string what = product.op;
  for (size_t i = steps.size(); i-- > 0;) {
    what += " + " + graph.node(steps[i]).op;
    rewrite.take(steps[i]);
  }
  rewrite.rename(what);
  std::vector<ValueId> inputs = product.inputs;
  inputs.resize(3, kNoValue);
  inputs.insert(inputs.end(), program->inputs.begin() + 1, program->inputs.end());
  Attributes attributes = product.attributes;
  attributes.remove("alpha");
  attributes.set("steps", program->texts);
  rewrite.become(last, rewrite.add({.op = "BiasMatMul", .domain = kOwn, .inputs = inputs, .attributes = attributes}));
  rewrite.apply();
}

Status run(PassContext& ctx) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order)
    if (ctx.graph().node(id).alive && is_product(ctx.graph().node(id))) fuse(ctx, id);
  return {};
}

}  // namespace

constinit const Pass fuse_epilogues{"fuse_epilogues", Level::layout, Exactness::bits,
                                    "makes one node of a product and the elementwise operators behind it", run};

}  // namespace sdx::passes
