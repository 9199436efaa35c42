#include "passes/fold_constants.h"

#include <algorithm>

#include "ops/invoke.h"

namespace sdx::passes {
namespace {

bool has_subgraph(const Node& node) {
  bool found = false;
  for_each_subgraph(node, [&](const Graph&, const std::string&) { found = true; });
  return found;
}

bool may_fold(const Graph& graph, const Node& node) {
  if (!node.alive || has_subgraph(node)) return false;
  const auto is_known = [&](ValueId value) {
    return value == kNoValue || (graph.fact(value).is_constant() && !graph.value(value).is_input);
  };
  const auto is_free = [&](ValueId value) { return value == kNoValue || !graph.is_output(value); };
  return std::ranges::all_of(node.inputs, is_known) && std::ranges::all_of(node.outputs, is_free);
}

// Kernels read aligned memory; null: the reference.
const Kernel* choose_kernel(const ops::OpEntry& op, const Graph& graph, const Node& node, std::span<Value> inputs,
                            std::unique_ptr<KernelState>& state) {
  if (op.cpu_kernels == nullptr) return nullptr;
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    if (!is_aligned(inputs[i].tensor())) {
      auto aligned = clone(inputs[i].tensor());
      if (!aligned.ok()) return nullptr;
      inputs[i] = std::move(aligned).value();
    }
    facts[i] = graph.fact(node.inputs[i]);
    facts[i].constant = inputs[i].tensor();
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

// The outputs, or nothing where the node is better left to the run.
std::optional<std::vector<Value>> compute(const Graph& graph, const Node& node) {
  const ops::OpEntry* op = ops::find_op(node.domain, node.op);
  if (op == nullptr || op->contract->reference == nullptr || op->contract->draws_random) return {};
  std::vector<Value> inputs(node.inputs.size());
  std::vector<const Value*> pointers(node.inputs.size(), nullptr);
  size_t given_bytes = 0, made_bytes = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    inputs[i] = graph.fact(node.inputs[i]).constant;
    pointers[i] = &inputs[i];
    given_bytes += inputs[i].tensor().byte_size();
  }
  const auto specs = ops::output_specs(*op->contract, node, pointers);
  if (!specs.ok()) return {};
  for (const OutputSpec& spec : *specs) {
    const auto count = spec.shape_known ? checked_count(spec.shape) : std::nullopt;
    if (!count) return {};
    made_bytes += byte_size(spec.dtype, *count).value_or(SIZE_MAX / 2);
  }
  if (made_bytes > given_bytes + kMaxGrowth) return {};
  std::vector<Value> outputs(node.outputs.size());
  std::unique_ptr<KernelState> state;
  const Kernel* kernel = choose_kernel(*op, graph, node, inputs, state);
  const RunEnvironment environment;
  if (!ops::invoke({op->contract, kernel, state.get()}, node, pointers, *specs, outputs, environment).ok()) return {};
  for (size_t i = 0; i < outputs.size(); ++i)
    if (node.outputs[i] != kNoValue && !outputs[i].is_tensor()) return {};
  return outputs;
}

}  // namespace

Result<int> fold_constants(Graph& graph) {
  SDX_ASSIGN(const std::vector<NodeId> order, graph.topological_order());
  int folded = 0;
  for (const NodeId id : order) {
    if (!may_fold(graph, graph.node(id))) continue;
    auto values = compute(graph, graph.node(id));
    if (!values) continue;
    const std::vector<ValueId> outputs = graph.node(id).outputs;
    graph.remove_node(id);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == kNoValue) continue;
      ValueInfo& value = graph.value(outputs[i]);
      Tensor made = (*values)[i].tensor();
      if (made.owner() == nullptr) {  // a view of an input
        SDX_ASSIGN(made, clone(made));
      }
      value.fact = Fact::constant_of(std::move(made));
      value.is_initializer = true;
    }
    ++folded;
  }
  return folded;
}

}  // namespace sdx::passes
