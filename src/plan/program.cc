#include "plan/program.h"

#include "plan/program_builder.h"

namespace sdx::plan {
namespace {

// "Foo (n1), my.domain.Bar (n2)": all nodes that nobody takes, subgraphs included.
void collect_refused(const Graph& graph, std::span<const providers::Provider* const> providers,
                     std::vector<std::string>& refused) {
  for (NodeId id = 0; id < graph.node_slots(); ++id) {
    const Node& node = graph.node(id);
    if (!node.alive || !node.provider.empty()) continue;
    const auto inputs = facts_of(graph, node.inputs);
    if (!providers.back()->can_run(NodeFacts(node, inputs)))
      refused.push_back(
          formatted("{} of {} {}", node.label(), node.domain.empty() ? "ai.onnx" : node.domain, node.opset));
    for_each_subgraph(node,
                      [&](const Graph& inner, const std::string&) { collect_refused(inner, providers, refused); });
  }
}

}  // namespace

std::vector<const Fact*> facts_of(const Graph& graph, std::span<const ValueId> values) {
  std::vector<const Fact*> facts;
  for (const ValueId value : values) facts.push_back(value == kNoValue ? nullptr : &graph.fact(value));
  return facts;
}

bool packs(const Kernel* kernel, size_t input) {
  return kernel != nullptr && input < 24 && (kernel->packs_inputs >> input & 1) != 0;  // see in_parts
}

const std::string& Program::name(SlotId slot) const {
  static const std::string none;
  return slots[slot].value == kNoValue ? none : graph->value(slots[slot].value).name;
}

Result<std::unique_ptr<Program>> make_program(const Graph& graph, std::span<const providers::Provider* const> providers,
                                              const PlanOptions& options) {
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
  return ProgramBuilder(graph, providers, options).build();
}

}  // namespace sdx::plan
