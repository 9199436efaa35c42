#include "plan/insert_copies.h"

#include <algorithm>

#include "plan/program.h"

namespace sdx::plan {
namespace {

using providers::DeviceMemory;
using providers::HostOperands;
using providers::Provider;

class Copier {
 public:
  Copier(Graph& graph, ProviderList providers, const Partition& partition)
      : graph_(graph), providers_(providers), partition_(partition) {}

  size_t run() {
    find_homes();
    find_uses();
    const auto values = static_cast<ValueId>(homes_.size());
    for (ValueId value = 0; value < values; ++value) copy(value);
    return copies_;
  }

 private:
  struct Use {
    NodeId node = kNoNode;
    size_t input = 0;
    const Provider* by = nullptr;
  };

  // Where each value is made; null: in the CPU's memory.
  void find_homes() {
    homes_.assign(graph_.value_slots(), nullptr);
    for (NodeId id = 0; id < graph_.node_slots(); ++id) {
      const Node& node = graph_.node(id);
      if (!node.alive || node.provider.empty()) continue;
      const Provider& provider = provider_of(node, providers_);
      if (provider.memory() == nullptr) continue;
      const HostOperands host = host_operands_of(graph_, node, provider, partition_);
      for (size_t i = 0; i < node.outputs.size(); ++i)
        if (node.outputs[i] != kNoValue && !host.has_output(i)) homes_[node.outputs[i]] = &provider;
    }
  }

  // What is read in a memory of a provider's, by value; and whether it is read in the CPU's.
  void find_uses() {
    uses_.resize(homes_.size());
    on_host_.assign(homes_.size(), false);
    for (const ValueId output : graph_.outputs()) on_host_[output] = true;
    for (NodeId id = 0; id < graph_.node_slots(); ++id) {
      const Node& node = graph_.node(id);
      if (!node.alive) continue;
      const Provider& provider = provider_of(node, providers_);
      const bool away = !node.provider.empty() && provider.memory() != nullptr;
      const HostOperands host = away ? host_operands_of(graph_, node, provider, partition_) : HostOperands{};
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId value = node.inputs[i];
        if (value == kNoValue || is_weight(value)) continue;
        if (away && !host.has_input(i)) {
          uses_[value].push_back({id, i, &provider});
        } else {
          on_host_[value] = true;
        }
      }
      for (const ValueId value : node.captures) on_host_[value] = true;
    }
  }

  bool is_weight(ValueId value) const { return graph_.fact(value).is_constant() && !graph_.value(value).is_input; }

  void copy(ValueId value) {
    const Provider* home = homes_[value];
    const auto is_away = [&](const Use& use) { return home == nullptr || use.by->memory() != home->memory(); };
    ValueId made = value;
    if (home != nullptr && (on_host_[value] || std::ranges::any_of(uses_[value], is_away))) {
      made = add_twin(value);
      graph_.take_production(made, value);
      add_copy(kCopyToHost, *home, made, value);
    }
    std::map<const DeviceMemory*, ValueId> there;
    if (home != nullptr) there.emplace(home->memory(), made);
    for (const Use& use : uses_[value]) {
      const auto [copied, fresh] = there.emplace(use.by->memory(), kNoValue);
      if (fresh) {
        copied->second = add_twin(value);
        add_copy(kCopyFromHost, *use.by, value, copied->second);
      }
      if (copied->second != value) graph_.set_input(use.node, use.input, copied->second);
    }
  }

  // In another memory. It is made while the graph runs, even where its elements are known.
  ValueId add_twin(ValueId value) {
    Fact fact = graph_.fact(value);
    fact.constant = {};
    return graph_.add_value(graph_.value(value).name, std::move(fact));
  }

  void add_copy(std::string_view op, const Provider& provider, ValueId from, ValueId to) {
    Node node;
    node.domain = kEngineDomain;
    node.op = op;
    node.name = formatted("copy of {}", graph_.value(op == kCopyToHost ? to : from).name);
    node.provider = provider.name();
    node.inputs = {from};
    node.outputs = {to};
    graph_.add_node(std::move(node));
    ++copies_;
  }

  Graph& graph_;
  ProviderList providers_;
  const Partition& partition_;
  std::vector<const Provider*> homes_;
  std::vector<std::vector<Use>> uses_;
  std::vector<bool> on_host_;
  size_t copies_ = 0;
};

}  // namespace

HostOperands host_operands_of(const Graph& graph, const Node& node, const Provider& provider,
                              const Partition& partition) {
  if (is_compiled_group(node)) return partition.groups[group_index(node)]->host;
  const ops::Contract* contract = contract_of(node);
  if (contract == nullptr) return {};
  const auto facts = facts_of(graph, node.inputs);
  return host_operands(provider, *contract, NodeFacts(node, facts));
}

size_t insert_copies(Graph& graph, ProviderList providers, const Partition& partition) {
  const bool any = std::ranges::any_of(providers, [](const Provider* one) { return one->memory() != nullptr; });
  if (!any) return 0;
  size_t copies = 0;
  for (NodeId id = 0; id < graph.node_slots(); ++id)
    if (graph.node(id).alive)
      for_each_subgraph(graph.node(id), [&](Graph& inner, const std::string&) {
        copies += insert_copies(inner, providers, partition);
      });
  return copies + Copier(graph, providers, partition).run();
}

}  // namespace sdx::plan
