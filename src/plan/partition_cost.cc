#include "plan/partition_cost.h"

#include <algorithm>
#include <set>

namespace sdx::plan {
namespace {

constexpr double kUnknownSize = 64;  // of a dimension that only a run knows

double elements_of(const Fact& fact) {
  double count = 1;
  if (!fact.shape) return kUnknownSize;
  for (const Dim& dim : *fact.shape) count *= dim.is_known() ? static_cast<double>(dim.known()) : kUnknownSize;
  return count;
}

double bytes_of(const Fact& fact) { return elements_of(fact) * std::max(bit_width(fact.dtype), 8) / 8; }

struct Work {
  double operations = 0, bytes = 0;
};

// Products: two operations for each element of the result and each of what is summed for it; else one an element.
Work work_of(const Graph& graph, const Node& node) {
  Work work;
  double made = 0;
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    made += elements_of(graph.fact(output));
    work.bytes += bytes_of(graph.fact(output));
  }
  for (const ValueId input : node.inputs)
    if (input != kNoValue) work.bytes += bytes_of(graph.fact(input));
  work.operations = made;
  const auto size = [&](size_t i) {
    return i < node.inputs.size() && node.inputs[i] != kNoValue ? elements_of(graph.fact(node.inputs[i])) : 1.0;
  };
  const auto last = [&](size_t i) {
    const Fact& fact = graph.fact(node.inputs[i]);
    const bool known = fact.shape && !fact.shape->empty() && fact.shape->back().is_known();
    return known ? static_cast<double>(fact.shape->back().known()) : kUnknownSize;
  };
  if (node.op.find("Conv") != std::string::npos && node.inputs.size() > 1) {
    const Fact& filters = graph.fact(node.inputs[1]);
    const double outputs = filters.shape && !filters.shape->empty() && filters.shape->front().is_known()
                               ? static_cast<double>(filters.shape->front().known())
                               : 1.0;
    work.operations = 2 * made * size(1) / std::max(outputs, 1.0);
  } else if ((node.op.find("MatMul") != std::string::npos || node.op.find("Gemm") != std::string::npos) &&
             !node.inputs.empty() && node.inputs[0] != kNoValue) {
    work.operations = 2 * made * last(0);
  }
  for_each_subgraph(node, [&](const Graph& inner, const std::string&) {
    for (NodeId id = 0; id < inner.node_slots(); ++id) {
      if (!inner.node(id).alive) continue;
      const Work part = work_of(inner, inner.node(id));
      work.operations += part.operations;
      work.bytes += part.bytes;
    }
  });
  return work;
}

double time_of(const Work& work, const providers::Speed& speed) {
  return std::max(work.operations / speed.operations_per_ns, work.bytes / speed.bytes_per_ns);
}

}  // namespace

GroupCost group_cost(const Graph& graph, const std::vector<NodeId>& nodes, const providers::Provider& provider,
                     const providers::Provider& cpu, Steps steps) {
  const providers::Speed there = provider.speed(), here = cpu.speed();
  const std::set<NodeId> inside(nodes.begin(), nodes.end());
  GroupCost cost;
  std::set<ValueId> copied;
  const auto is_near = [&](NodeId node) {
    return inside.contains(node) || graph.node(node).provider == provider.name();
  };
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    const Work work = work_of(graph, node);
    cost.saved_ns += time_of(work, here) + here.step_ns - time_of(work, there);
    for (const auto* list : {&node.inputs, &node.captures})
      for (const ValueId input : *list) {
        if (input == kNoValue || (graph.fact(input).is_constant() && !graph.value(input).is_input)) continue;
        const NodeId producer = graph.value(input).producer;
        if (producer == kNoNode || !is_near(producer)) copied.insert(input);
      }
    for (const ValueId output : node.outputs) {
      if (output == kNoValue) continue;
      const auto& users = graph.value(output).users;
      if (graph.is_output(output) || !std::ranges::all_of(users, is_near)) copied.insert(output);
    }
  }
  cost.saved_ns -= there.step_ns * (steps == Steps::one ? 1.0 : static_cast<double>(nodes.size()));
  if (provider.memory() == nullptr) return cost;
  for (const ValueId value : copied)
    cost.copies_ns += there.copy_ns + bytes_of(graph.fact(value)) / there.copied_bytes_per_ns;
  return cost;
}

}  // namespace sdx::plan
