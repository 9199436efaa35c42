#include "plan/partition.h"

#include <algorithm>

#include "plan/convex_groups.h"
#include "plan/partition_cost.h"
#include "plan/program.h"

namespace sdx::plan {
namespace {

using providers::Claims;
using providers::Provider;

bool has_taken_nodes(const Node& node) {
  bool found = false;
  for_each_subgraph(node, [&](const Graph& inner, const std::string&) {
    for (NodeId id = 0; id < inner.node_slots(); ++id)
      found |= inner.node(id).alive && (!inner.node(id).provider.empty() || has_taken_nodes(inner.node(id)));
  });
  return found;
}

// Only tensors of numbers can lie in a memory that is not the CPU's.
Verdict fits_memory(const Graph& graph, const Node& node, const Provider& provider, providers::HostOperands host) {
  if (provider.memory() == nullptr) return yes();
  const auto check = [&](ValueId value, bool on_host) -> Verdict {
    if (value == kNoValue || on_host) return yes();
    const Fact& fact = graph.fact(value);
    if (fact.is_tensor() && fact.dtype != DType::string) return yes();
    if (fact.kind == ValueKind::none) return no(formatted("the type of \"{}\" is not known", graph.value(value).name));
    return no(formatted("\"{}\" is {}, which lives in the CPU's memory alone", graph.value(value).name,
                        to_text(type_of(fact))));
  };
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (Verdict fits = check(node.inputs[i], host.has_input(i)); !fits) return fits;
  for (const ValueId value : node.captures)
    if (Verdict fits = check(value, false); !fits) return fits;
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (Verdict fits = check(node.outputs[i], host.has_output(i)); !fits) return fits;
  return yes();
}

// A provider's turn at one graph.
class Turn {
 public:
  Turn(Graph& graph, std::string place, const Provider& provider, const Provider& cpu, const PartitionOptions& options,
       Partition& made, std::map<NodeId, std::vector<Refusal>>& refusals)
      : graph_(graph),
        place_(std::move(place)),
        provider_(provider),
        cpu_(cpu),
        options_(options),
        made_(made),
        refusals_(refusals) {}

  Status run() {
    if (options_.views != nullptr)
      if (const auto known = options_.views->find(&graph_); known != options_.views->end()) view_ = &known->second;
    if (provider_.makes_claims()) SDX_TRY(claim());
    SDX_TRY(give_by_kernel());
    mark_taken();
    return {};
  }

 private:
  bool is_free(NodeId id) const {
    const Node& node = graph_.node(id);
    return node.alive && node.provider.empty() && !is_folded(graph_, node);
  }

  Status claim() {
    const Claims claims = provider_.claim(seen());
    read_verdicts(claims);
    if (claims.groups.empty()) return give_groups(taken_);
    for (const std::vector<NodeId>& wanted : claims.groups) {
      std::vector<bool> chosen(graph_.node_slots(), false);
      for (const NodeId id : wanted)
        for (const NodeId one : stands_for(id))
          if (one < chosen.size() && taken_[one]) chosen[one] = true;
      SDX_TRY(give_groups(chosen));
    }
    return {};
  }

  const Graph& seen() const { return view_ != nullptr ? *view_->graph : graph_; }
  std::vector<NodeId> stands_for(NodeId id) const {
    if (view_ != nullptr)
      if (const auto known = view_->stands_for.find(id); known != view_->stands_for.end()) return known->second;
    return {id};
  }

  void mark_taken() {
    if (view_ == nullptr) return;
    for (NodeId id = 0; id < view_->graph->node_slots(); ++id) {
      Node& node = view_->graph->node(id);
      if (!node.alive || !node.provider.empty()) continue;
      const auto is_gone = [&](NodeId one) { return !graph_.node(one).alive || !graph_.node(one).provider.empty(); };
      if (std::ranges::any_of(stands_for(id), is_gone)) node.provider = provider_.name();
    }
  }

  // A node is taken where all nodes of the view that stand for it are.
  void read_verdicts(const Claims& claims) {
    taken_.assign(graph_.node_slots(), true);
    tied_.assign(graph_.node_slots(), 0);
    claimed_.assign(graph_.node_slots(), {});
    for (NodeId id = 0; id < seen().node_slots(); ++id) {
      if (!seen().node(id).alive) continue;
      const std::vector<NodeId> nodes = stands_for(id);
      Verdict verdict = id < claims.verdicts.size() ? claims.verdicts[id] : no("it does not claim the node");
      for (const NodeId one : nodes)
        if (verdict) verdict = may_compile(one);
      for (const NodeId one : nodes) {
        claimed_[one].push_back(id);
        if (nodes.size() > 1) tied_[one] = nodes[0] + 1;
        if (!verdict) refuse(one, verdict.reason());
      }
    }
    for (NodeId id = 0; id < graph_.node_slots(); ++id)
      if (!is_free(id) || claimed_[id].empty()) taken_[id] = false;
  }

  Verdict may_compile(NodeId id) const {
    const Node& node = graph_.node(id);
    if (is_folded(graph_, node)) return yes();  // it never runs
    if (!is_free(id)) return no("it is taken");
    if (has_taken_nodes(node)) return no("nodes of its subgraphs are taken");
    return fits_memory(graph_, node, provider_, {});
  }

  Status give_groups(const std::vector<bool>& chosen) {
    SDX_ASSIGN(const std::vector<NodeId> order, graph_.topological_order());
    for (const std::vector<NodeId>& nodes : convex_groups(graph_, order, chosen, tied_)) SDX_TRY(give_group(nodes));
    return {};
  }

  Status give_group(const std::vector<NodeId>& nodes) {
    if (const Verdict verdict = pays(nodes, Steps::one); !verdict) {
      for (const NodeId id : nodes) refuse(id, verdict.reason());
      return {};
    }
    if (options_.assigns_only) {
      for (const NodeId id : nodes) place(id, std::nullopt);
      return {};
    }
    std::vector<NodeId> claimed;
    for (const NodeId id : nodes)
      for (const NodeId one : claimed_[id])
        if (tied_[id] == 0 || std::ranges::find(claimed, one) == claimed.end()) claimed.push_back(one);
    SDX_ASSIGN(Extracted extracted, extract(graph_, nodes, options_.weights));
    auto compiled = provider_.compile({extracted.graph, seen(), claimed});
    if (!compiled.ok())
      return std::move(compiled).status().with_context(
          formatted("while {} compiles {}", provider_.name(), graph_.node(nodes[0]).label()));
    if (!compiled->verdict) {
      for (const NodeId id : nodes) refuse(id, compiled->verdict.reason());
      return {};
    }
    auto group = std::make_unique<CompiledGroup>();
    group->executable = std::move(compiled->executable);
    group->host = compiled->host;
    for (const NodeId id : nodes) {
      const ops::Contract* contract = contract_of(graph_.node(id));
      group->infers_again |= contract == nullptr || !contract->records_constraints || has_subgraph(graph_.node(id));
      place(id, made_.groups.size());
    }
    replace_by_group(graph_, nodes, extracted, provider_.name(), made_.groups.size());
    group->graph = std::move(extracted.graph);
    made_.groups.push_back(std::move(group));
    return {};
  }

  Status give_by_kernel() {
    SDX_ASSIGN(const std::vector<NodeId> order, graph_.topological_order());
    std::vector<NodeId> given;
    for (const NodeId id : order) {
      if (!is_free(id)) continue;
      if (const Verdict verdict = has_kernel(id); !verdict) {
        refuse(id, verdict.reason());
        continue;
      }
      graph_.node(id).provider = provider_.name();
      given.push_back(id);
    }
    if (options_.by_cost) give_back(given);
    for (const NodeId id : given)
      if (!graph_.node(id).provider.empty()) place(id, std::nullopt);
    return {};
  }

  Verdict has_kernel(NodeId id) const {
    const Node& node = graph_.node(id);
    if (has_subgraph(node)) return no("a node with subgraphs runs on the CPU, or compiled");
    const auto facts = facts_of(graph_, node.inputs);
    const NodeFacts view(node, facts);
    if (Verdict verdict = provider_.can_run(view); !verdict) return verdict;
    const ops::OpEntry* op = ops::find_op(node.domain, node.op);
    if (op == nullptr || provider_.kernels(*op).empty()) return no("no kernel for this operator");
    return fits_memory(graph_, node, provider_, host_operands(provider_, *op->contract, view));
  }

  // Nodes that hang together cost copies only where they end.
  void give_back(const std::vector<NodeId>& given) {
    std::vector<bool> seen(graph_.node_slots(), true);
    for (const NodeId id : given) seen[id] = false;
    for (const NodeId start : given) {
      if (seen[start]) continue;
      std::vector<NodeId> region{start};
      seen[start] = true;
      for (size_t i = 0; i < region.size(); ++i) {
        const auto add = [&](NodeId id) {
          if (id == kNoNode || seen[id]) return;
          seen[id] = true;
          region.push_back(id);
        };
        const Node& node = graph_.node(region[i]);
        for (const ValueId input : node.inputs)
          if (input != kNoValue) add(graph_.value(input).producer);
        for (const ValueId output : node.outputs)
          if (output != kNoValue) std::ranges::for_each(graph_.value(output).users, add);
      }
      const Verdict verdict = pays(region, Steps::each);
      if (verdict) continue;
      for (const NodeId id : region) graph_.node(id).provider.clear();
      for (const NodeId id : region) refuse(id, verdict.reason());
    }
  }

  Verdict pays(const std::vector<NodeId>& nodes, Steps steps) const {
    if (!options_.by_cost) return yes();
    const GroupCost cost = group_cost(graph_, nodes, provider_, cpu_, steps);
    if (cost.copies_ns <= cost.saved_ns) return yes();
    return no(formatted("copies to and from it cost about {:.1f} us, it saves {:.1f} us [{} nodes]",
                        cost.copies_ns / 1000, cost.saved_ns / 1000, nodes.size()));
  }

  void refuse(NodeId id, const std::string& reason) {
    if (id < taken_.size()) taken_[id] = false;
    if (!options_.keeps_verdicts || !is_free(id)) return;
    std::vector<Refusal>& list = refusals_[id];
    const bool known = !list.empty() && list.back().provider == provider_.name() && list.back().reason == reason;
    if (!known) list.push_back({std::string(provider_.name()), reason});
  }

  void place(NodeId id, std::optional<size_t> group) {
    Node& node = graph_.node(id);
    node.provider = provider_.name();
    if (id < taken_.size()) taken_[id] = false;
    if (options_.keeps_verdicts)
      made_.placements.push_back(
          {node.label(), node.op, node.domain, place_, node.origins, node.provider, group, std::move(refusals_[id])});
  }

  Graph& graph_;
  std::string place_;
  const Provider& provider_;
  const Provider& cpu_;
  const PartitionOptions& options_;
  Partition& made_;
  std::map<NodeId, std::vector<Refusal>>& refusals_;
  ClaimView* view_ = nullptr;                 // null: the graph itself
  std::vector<bool> taken_;                   // by node, while claims are read
  std::vector<uint32_t> tied_;                // by node: see convex_groups
  std::vector<std::vector<NodeId>> claimed_;  // by node: the nodes of the view that stand for it
};

class Partitioner {
 public:
  Partitioner(ProviderList providers, const PartitionOptions& options, Partition& made)
      : providers_(providers), options_(options), made_(made) {}

  Status turn(Graph& graph, const std::string& place, const Provider& provider) {
    SDX_TRY(Turn(graph, place, provider, *providers_.back(), options_, made_, refusals_[&graph]).run());
    Status status;
    for (NodeId id = 0; id < graph.node_slots(); ++id)
      for_each_inner(graph, id, place, [&](Graph& inner, const std::string& inner_place) {
        if (status.ok()) status = turn(inner, inner_place, provider);
      });
    return status;
  }

  // What nobody else took.
  void place_rest(Graph& graph, const std::string& place) {
    for (NodeId id = 0; id < graph.node_slots(); ++id) {
      const Node& node = graph.node(id);
      if (!node.alive || !node.provider.empty() || is_folded(graph, node)) continue;
      made_.placements.push_back({node.label(), node.op, node.domain, place, node.origins,
                                  std::string(providers_.back()->name()), std::nullopt,
                                  std::move(refusals_[&graph][id])});
      for_each_inner(graph, id, place,
                     [&](Graph& inner, const std::string& inner_place) { place_rest(inner, inner_place); });
    }
  }

 private:
  template <typename F>
  static void for_each_inner(Graph& graph, NodeId id, const std::string& place, F f) {
    if (!graph.node(id).alive || !graph.node(id).provider.empty()) return;
    for_each_subgraph(graph.node(id), [&](Graph& inner, const std::string& attribute) {
      f(inner, formatted("{}{} of {}", place.empty() ? "" : place + ", ", attribute, graph.node(id).label()));
    });
  }

  ProviderList providers_;
  const PartitionOptions& options_;
  Partition& made_;
  std::map<const Graph*, std::map<NodeId, std::vector<Refusal>>> refusals_;
};

}  // namespace

providers::HostOperands host_operands(const Provider& provider, const ops::Contract& contract, const NodeFacts& facts) {
  providers::HostOperands host = provider.host_operands(facts);
  host.inputs |= contract.needs_values;
  return host;
}

const Provider& provider_of(const Node& node, ProviderList providers) {
  if (!node.provider.empty())
    for (const Provider* provider : providers)
      if (provider->name() == node.provider) return *provider;
  return *providers.back();
}

Status partition(Graph& graph, ProviderList providers, const PartitionOptions& options, Partition& made) {
  if (providers.size() == 1) return {};
  Partitioner partitioner(providers, options, made);
  for (const Provider* provider : providers.first(providers.size() - 1))
    SDX_TRY(partitioner.turn(graph, "", *provider));
  if (options.keeps_verdicts) partitioner.place_rest(graph, "");
  return {};
}

}  // namespace sdx::plan
