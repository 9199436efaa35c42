#include "providers/custom/custom_provider.h"

#include "providers/custom/custom_kernel.h"
#include "providers/custom/custom_op.h"
#include "providers/custom/custom_shapes.h"

namespace sdx::providers {
namespace {

std::vector<const Fact*> facts_of(const Graph& graph, const Node& node) {
  std::vector<const Fact*> facts;
  for (const ValueId id : node.inputs) facts.push_back(id == kNoValue ? nullptr : &graph.fact(id));
  return facts;
}

std::string misfit(const OrtCustomOp& op, const Node& node, std::span<const Fact* const> inputs) {
  if (!serves_version(op, node.opset)) return formatted("the custom operator is not of opset {}", node.opset);
  if (inputs.size() < least_inputs(op))
    return formatted("the node has {} inputs, the custom operator wants {}", inputs.size(), least_inputs(op));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int formal = formal_input(op, i);
    if (formal < 0) return formatted("the node has {} inputs, the custom operator takes {}", inputs.size(), i);
    const DType wanted = input_type(op, static_cast<size_t>(formal));
    if (inputs[i] == nullptr || wanted == DType::undefined || inputs[i]->kind != ValueKind::tensor) continue;
    if (inputs[i]->dtype != wanted && inputs[i]->dtype != DType::undefined)
      return formatted("input {} is {}, the custom operator takes {}", i, sdx::name(inputs[i]->dtype),
                       sdx::name(wanted));
  }
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (formal_output(op, i) < 0)
      return formatted("the node has {} outputs, the custom operator makes {}", node.outputs.size(), i);
  return {};
}

}  // namespace

CustomProvider::CustomProvider(std::vector<const OrtCustomOpDomain*> domains,
                               std::vector<std::shared_ptr<abi::LoadedLibrary>> libraries, const OrtApi& api,
                               const OrtLogger* logger)
    : domains_(std::move(domains)), libraries_(std::move(libraries)), api_(api), logger_(logger) {}

const OrtCustomOp* CustomProvider::find(const Node& node, std::span<const Fact* const> inputs,
                                        std::string& reason) const {
  reason = "no custom operator has this name";
  for (const OrtCustomOpDomain* domain : domains_) {
    if (domain->name != node.domain && !(domain->name == "ai.onnx" && node.domain.empty())) continue;
    for (const OrtCustomOp* op : domain->operators) {
      if (node.op != op->GetName(op)) continue;
      reason = misfit(*op, node, inputs);
      if (reason.empty()) return op;
    }
  }
  return nullptr;
}

DType CustomProvider::output_type(const Node& node, size_t output, std::span<const Fact* const> inputs) const {
  std::string reason;
  const OrtCustomOp* op = find(node, inputs, reason);
  const int formal = op == nullptr ? -1 : formal_output(*op, output);
  if (formal < 0) return DType::undefined;
  const DType type = providers::output_type(*op, static_cast<size_t>(formal));
  if (type != DType::undefined) return type;
  for (size_t i = 0; i < inputs.size(); ++i)  // any type: that of the inputs of any type
    if (inputs[i] != nullptr && input_type(*op, static_cast<size_t>(formal_input(*op, i))) == DType::undefined)
      return inputs[i]->dtype;
  return DType::undefined;
}

Status CustomProvider::infer(const Node& node, std::span<const Fact* const> inputs, SymbolTable& symbols,
                             std::span<Fact> outputs) const {
  std::string reason;
  const OrtCustomOp* op = find(node, inputs, reason);
  return op == nullptr ? Status() : infer_custom_shapes(*op, api_, node, inputs, symbols, outputs);
}

Verdict CustomProvider::takes(const Graph& graph, const Node& node) const {
  std::string reason;
  return find(node, facts_of(graph, node), reason) != nullptr ? yes() : no(std::move(reason));
}

Verdict CustomProvider::can_run(const NodeFacts& /*facts*/) const {
  return no("custom operators are taken as they stand");
}

Claims CustomProvider::claim(const Graph& view) const {
  Claims claims;
  for (NodeId id = 0; id < view.node_slots(); ++id) {
    const Node& node = view.node(id);
    claims.verdicts.push_back(node.alive && node.provider.empty() ? takes(view, node) : no("it is taken"));
    if (claims.verdicts.back()) claims.groups.push_back({id});
  }
  return claims;
}

Result<Compilation> CustomProvider::compile(const Group& group) const {
  for (const NodeId id : group.claimed) {
    const Node& node = group.view.node(id);
    std::string reason;
    const OrtCustomOp* op = find(node, facts_of(group.view, node), reason);
    if (op == nullptr || group.claimed.size() != 1) return Compilation{no(std::move(reason)), {}, {}};
    SDX_ASSIGN(auto executable, make_custom_kernel(*op, group.graph, api_, logger_));
    return Compilation{yes(), std::move(executable), {}};
  }
  return Compilation{no("a group without nodes"), {}, {}};
}

}  // namespace sdx::providers
