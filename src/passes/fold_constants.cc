// Constant folding: nodes whose inputs are all known are computed once, at load. The value is that of the operator's
// CPU kernel, or of its reference where there is none. Kept is what draws random numbers, makes no tensors, fails (the
// run says so), or would grow; and, until the last level, what dequantizes: operators over codes look for it.
#include <algorithm>

#include "base/element.h"
#include "graph/attribute_text.h"
#include "ops/invoke.h"
#include "passes/list.h"
#include "passes/patterns.h"

namespace sdx::passes {
namespace {

constexpr size_t kMaxGrowth = 1 << 20;  // bytes that a result may have beyond those of its inputs

bool may_fold(const Graph& graph, const Node& node) {
  if (!node.alive || has_subgraph(node)) return false;
  const auto is_known = [&](ValueId value) {
    return value == kNoValue || (graph.fact(value).is_constant() && !graph.value(value).is_input);
  };
  const auto is_free = [&](ValueId value) { return value == kNoValue || !graph.is_output(value); };
  return std::ranges::all_of(node.inputs, is_known) && std::ranges::all_of(node.outputs, is_free);
}

// Kernels read aligned memory; null: the reference.
const Kernel* choose_kernel(const ops::OpEntry& op, const Node& node, std::span<Value> inputs,
                            std::unique_ptr<KernelState>& state) {
  if (op.cpu_kernels == nullptr) return nullptr;
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined()) continue;
    if (!is_aligned(inputs[i].tensor())) {
      auto aligned = clone(inputs[i].tensor());
      if (!aligned.ok()) return nullptr;
      inputs[i] = std::move(aligned).value();
    }
    facts[i] = Fact::constant_of(inputs[i].tensor());
    pointers[i] = &facts[i];
  }
  const NodeFacts view(node, pointers);
  for (const Kernel& kernel : op.cpu_kernels->kernels()) {
    if (!kernel.can_run(view)) continue;
    if (kernel.prepare == nullptr) return &kernel;
    auto prepared = kernel.prepare(view);
    if (!prepared.ok()) return nullptr;
    state = std::move(prepared).value();
    return &kernel;
  }
  return nullptr;
}

std::vector<const Value*> pointers_to(std::span<const Value> values) {
  std::vector<const Value*> pointers;
  for (const Value& value : values) pointers.push_back(value.defined() ? &value : nullptr);
  return pointers;
}

// The outputs that own their memory.
Result<std::vector<Tensor>> evaluate(const ops::OpEntry& op, const Node& node, std::span<Value> inputs,
                                     std::span<const OutputSpec> specs) {
  std::vector<Value> outputs(node.outputs.size());
  std::unique_ptr<KernelState> state;
  const Kernel* kernel = choose_kernel(op, node, inputs, state);
  const RunEnvironment environment;
  SDX_TRY(ops::invoke({op.contract, kernel, state.get()}, node, pointers_to(inputs), specs, outputs, environment));
  std::vector<Tensor> made(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    if (!outputs[i].is_tensor()) return invalid_argument("{} makes no tensor", node.op);
    made[i] = outputs[i].tensor();
    if (made[i].owner() != nullptr) continue;
    SDX_ASSIGN(made[i], clone(made[i]));  // a view of an input
  }
  return made;
}

// What cannot fail once its shape rule is content: may be left to whoever reads the result.
bool may_wait(const Node& node) {
  static constexpr std::string_view kNames[] = {
      "Add",  "Cast",      "Concat",   "ConstantOfShape", "DequantizeLinear", "Expand", "Identity",
      "Mul",  "Neg",       "Reshape",  "Slice",           "Squeeze",          "Sub",    "Sqrt",
      "Tile", "Transpose", "Unsqueeze"};
  return node.domain.empty() && node.outputs.size() == 1 && std::ranges::find(kNames, node.op) != std::end(kNames);
}

// A weight of one number that only products take, which pack it.
bool is_filled_weight(const Graph& graph, const Node& node) {
  static constexpr std::string_view kPackers[] = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
  if (!is_op(node, "ConstantOfShape")) return false;
  const auto& users = graph.value(node.outputs[0]).users;
  return !users.empty() && std::ranges::all_of(users, [&](NodeId id) {
    const Node& user = graph.node(id);
    return user.domain.empty() && std::ranges::find(kPackers, user.op) != std::end(kPackers) &&
           std::ranges::count(user.inputs, node.outputs[0]) == 1 && user.inputs[1] == node.outputs[0];
  });
}

// The node, without its names: what it makes of its sources.
std::optional<std::string> recipe_text(const Node& node) {
  std::string text = node.op;
  for (const Attribute& attribute : node.attributes.list()) {
    const auto content = attribute_text(attribute);
    if (!content) return std::nullopt;
    text += formatted(" {}={}", attribute.name, *content);
  }
  return text;
}

bool is_transpose_of_matrix(const Node& node, const Recipe::Source& x) {
  if (node.op != "Transpose" || x.weight.rank() != 2) return false;
  const auto perm = node.attributes.get_ints("perm");
  return perm.empty() || (perm.size() == 2 && perm[0] == 1);
}

// The outputs, or nothing where the node is better left to the run.
std::optional<std::vector<Tensor>> compute(PassContext& ctx, const Node& node) {
  const Graph& graph = ctx.graph();
  const ops::OpEntry* op = ops::find_op(node.domain, node.op);
  if (op == nullptr || op->contract->reference == nullptr || op->contract->draws_random) return {};
  std::vector<Value> inputs(node.inputs.size());
  size_t given_bytes = 0, made_bytes = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    inputs[i] = graph.fact(node.inputs[i]).constant;
    given_bytes += inputs[i].tensor().byte_size();
  }
  const auto specs = ops::output_specs(*op->contract, node, pointers_to(inputs));
  if (!specs.ok()) return {};
  for (const OutputSpec& spec : *specs) {
    const auto count = spec.shape_known ? checked_count(spec.shape) : std::nullopt;
    if (!count) return {};
    made_bytes += byte_size(spec.dtype, *count).value_or(SIZE_MAX / 2);
  }
  const auto text = recipe_text(node);
  const bool waits = may_wait(node) && text && LazyWeights::takes(specs->at(0).dtype, specs->at(0).shape);
  const bool grows = waits && (made_bytes <= 4 * given_bytes || is_filled_weight(graph, node));
  if (made_bytes > given_bytes + (grows ? kMaxLazyGrowth : kMaxGrowth)) return {};
  if (waits) {
    auto recipe = std::make_shared<Recipe>();
    recipe->text = *text;
    std::vector<size_t> places;  // of the sources among the inputs
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].defined()) continue;
      places.push_back(i);
      recipe->sources.push_back(ctx.weights().source(inputs[i].tensor()));
    }
    recipe->is_transpose = is_transpose_of_matrix(node, recipe->sources[0]);
    recipe->make = [op, node, places, specs = *specs](std::span<const Tensor> sources) -> Result<Tensor> {
      std::vector<Value> given(node.inputs.size());
      for (size_t i = 0; i < places.size(); ++i) given[places[i]] = sources[i];
      SDX_ASSIGN(auto made, evaluate(*op, node, given, specs));
      return made[0];
    };
    auto stand_in = ctx.weights().add(std::move(recipe), specs->at(0).dtype, specs->at(0).shape);
    if (!stand_in.ok()) return {};
    return std::vector<Tensor>{std::move(stand_in).value()};
  }
  for (Value& input : inputs) {
    if (!input.defined()) continue;
    auto content = ctx.weights().content(input.tensor());
    if (!content.ok()) return {};
    input = std::move(content).value();
  }
  auto made = evaluate(*op, node, inputs, *specs);
  if (!made.ok()) return {};
  return std::move(made).value();
}

void make_weight(Graph& graph, ValueId id, Tensor content) {
  ValueInfo& value = graph.value(id);
  value.fact = Fact::constant_of(std::move(content));
  value.is_initializer = true;
}

// A shape, or what was computed from shapes, whose elements are all known.
std::optional<Tensor> known_elements(const Graph& graph, const Node& node) {
  if (node.outputs.size() != 1 || node.outputs[0] == kNoValue || graph.is_output(node.outputs[0])) return {};
  const Fact& fact = graph.fact(node.outputs[0]);
  if (!fact.elements || !is_integer(fact.dtype) || !fact.known_shape() || has_subgraph(node)) return {};
  const auto known = [](const Dim& dim) { return dim.is_known(); };
  if (!std::ranges::all_of(*fact.elements, known)) return {};
  auto made = Tensor::allocate(fact.dtype, *fact.known_shape());
  if (!made.ok() || made->count() != std::ssize(*fact.elements)) return {};
  for (int64_t i = 0; i < made->count(); ++i) store_i64(*made, i, (*fact.elements)[static_cast<size_t>(i)].known());
  return std::move(made).value();
}

Status fold_node(PassContext& ctx, NodeId id) {
  Graph& graph = ctx.graph();
  const Node& node = graph.node(id);
  std::vector<Tensor> made;
  if (may_fold(graph, node)) {
    auto computed = compute(ctx, node);
    if (!computed) return {};
    made = std::move(*computed);
  } else if (auto elements = known_elements(graph, node)) {
    made.push_back(std::move(*elements));
  } else {
    return {};
  }
  const std::vector<ValueId> outputs = node.outputs;
  ctx.note(node.op, node.origins);
  graph.remove_node(id);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != kNoValue) make_weight(graph, outputs[i], std::move(made[i]));
  return {};
}

bool is_dequantization(const Node& node) { return node.domain.empty() && node.op == "DequantizeLinear"; }

Status fold(PassContext& ctx, bool dequantizations) {
  SDX_ASSIGN(const std::vector<NodeId> order, ctx.order());
  for (const NodeId id : order) {
    if (!ctx.may_rewrite()) return {};
    if (is_dequantization(ctx.graph().node(id)) == dequantizations) SDX_TRY(fold_node(ctx, id));
  }
  return {};
}

Status run(PassContext& ctx) { return fold(ctx, false); }
Status run_dequantized(PassContext& ctx) { return fold(ctx, true); }

}  // namespace

constinit const Pass fold_constants{"fold_constants", Level::basic, Exactness::bits,
                                    "computes nodes whose inputs are all known", run};
constinit const Pass fold_dequantized{"fold_dequantized", Level::layout, Exactness::bits,
                                      "computes weights whose codes no operator took", run_dequantized};

}  // namespace sdx::passes
