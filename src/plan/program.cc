#include "plan/program.h"

#include <algorithm>

namespace sdx::plan {
namespace {

// "Foo (n1), my.domain.Bar (n2)": all nodes that nobody takes, subgraphs included.
void collect_refused(const Graph& graph, std::span<const providers::Provider* const> providers,
                     std::vector<std::string>& refused) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive) continue;
    std::vector<const Fact*> inputs;
    for (const ValueId input : node.inputs) inputs.push_back(input == kNoValue ? nullptr : &graph.fact(input));
    const NodeFacts facts(node, inputs);
    const bool taken =
        std::ranges::any_of(providers, [&](const auto* provider) { return provider->can_run(facts).accepted(); });
    if (!taken)
      refused.push_back(
          formatted("{} of {} {}", node.label(), node.domain.empty() ? "ai.onnx" : node.domain, node.opset));
    for_each_subgraph(node,
                      [&](const Graph& inner, const std::string&) { collect_refused(inner, providers, refused); });
  }
}

Result<std::unique_ptr<Program>> build(const Graph& graph, std::span<const providers::Provider* const> providers);

Status add_bodies(const Node& node, std::span<const providers::Provider* const> providers, Step& step) {
  Status status;
  for_each_subgraph(node, [&](const Graph& inner, const std::string& attribute) {
    if (!status.ok()) return;
    auto body = build(inner, providers);
    if (body.ok()) {
      step.bodies.push_back({attribute, std::move(body).value()});
    } else {
      status = std::move(body).status();
    }
  });
  return status;
}

Result<std::unique_ptr<Program>> build(const Graph& graph, std::span<const providers::Provider* const> providers) {
  auto program = std::make_unique<Program>();
  program->graph = &graph;
  program->constants.resize(graph.value_slots());
  for (ValueId id = 0; id < graph.value_slots(); ++id) {
    const ValueInfo& value = graph.value(id);
    if (!value.fact.is_constant() || value.is_input) continue;
    const Tensor& weight = value.fact.constant;
    // Without an owner: the graph keeps the memory, and an output that is a view of it is seen to need a copy.
    auto constant = std::make_unique<Constant>();
    constant->value = Tensor::wrap(weight.dtype(), weight.shape(), const_cast<void*>(weight.raw()), nullptr);
    program->constants[id] = std::move(constant);
  }
  SDX_ASSIGN(const std::vector<NodeId> order, graph.topological_order());
  std::vector<size_t> last_use(graph.value_slots(), SIZE_MAX);
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    Step step;
    step.node = id;
    const ops::OpEntry* op = ops::find_op(node.domain, node.op);
    SDX_CHECK(op != nullptr, "a node without a contract reaches the plan");
    step.contract = op->contract;
    for (const providers::Provider* provider : providers) {
      for (const Kernel& kernel : provider->kernels(*op)) {
        step.candidates.push_back(std::make_unique<Candidate>());
        step.candidates.back()->kernel = &kernel;
      }
    }
    SDX_TRY(add_bodies(node, providers, step));
    const size_t index = program->steps.size();
    for (const auto* list : {&node.inputs, &node.captures, &node.outputs})
      for (const ValueId value : *list)
        if (value != kNoValue) last_use[value] = index;
    program->steps.push_back(std::move(step));
  }
  std::vector<bool> kept(graph.value_slots(), false);
  for (const ValueId output : graph.outputs()) kept[output] = true;
  for (ValueId id = 0; id < graph.value_slots(); ++id)
    if (last_use[id] != SIZE_MAX && !kept[id] && program->constants[id] == nullptr)
      program->steps[last_use[id]].releases.push_back(id);
  return program;
}

}  // namespace

Result<std::unique_ptr<Program>> make_program(const Graph& graph,
                                              std::span<const providers::Provider* const> providers) {
  std::vector<std::string> refused;
  collect_refused(graph, providers, refused);
  if (!refused.empty()) {
    constexpr size_t kShown = 20;
    const size_t more = refused.size() > kShown ? refused.size() - kShown : 0;
    refused.resize(refused.size() - more);
    return make_error(Code::fail, "no provider takes these nodes: {}{}",
                      join(refused, ", ", [](const auto& text) { return text; }),
                      more > 0 ? formatted(" and {} more", more) : std::string());
  }
  return build(graph, providers);
}

bool is_aligned(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return true;  // decoded at import
  const size_t width = std::max(bit_width(tensor.dtype()) / 8, 1);
  const size_t wanted = is_complex(tensor.dtype()) ? width / 2 : width;
  return reinterpret_cast<uintptr_t>(tensor.raw()) % wanted == 0;
}

Result<const Value*> aligned_constant(const Constant& constant) {
  if (!constant.value.is_tensor() || is_aligned(constant.value.tensor())) return &constant.value;
  std::call_once(constant.once, [&] {
    auto copy = clone(constant.value.tensor());
    if (copy.ok()) {
      constant.aligned = std::move(copy).value();
    } else {
      constant.failure = std::move(copy).status();
    }
  });
  if (!constant.failure.ok()) return Status(constant.failure);
  return &constant.aligned;
}

}  // namespace sdx::plan
