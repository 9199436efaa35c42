#include "plan/convex_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace sdx::plan {
namespace {

using Groups = std::vector<std::vector<NodeId>>;

struct Dag {
  Graph graph;
  std::vector<std::vector<NodeId>> before;  // by node

  explicit Dag(std::vector<std::vector<NodeId>> given) : before(std::move(given)) {
    std::vector<ValueId> made;
    for (const auto& producers : before) {
      Node node;
      node.op = "Any";
      for (const NodeId producer : producers) node.inputs.push_back(made[producer]);
      made.push_back(graph.add_value("v"));
      node.outputs = {made.back()};
      graph.add_node(node);
    }
  }
  Groups cut(const std::vector<bool>& taken, const std::vector<uint32_t>& tied = {}) const {
    return convex_groups(graph, graph.topological_order().value(), taken, tied);
  }
};

// Whether the graph with each group as one node has no cycle.
bool is_acyclic(const Dag& dag, const Groups& groups) {
  std::vector<size_t> of(dag.before.size());
  for (NodeId id = 0; id < of.size(); ++id) of[id] = groups.size() + id;
  for (size_t i = 0; i < groups.size(); ++i)
    for (const NodeId id : groups[i]) of[id] = i;
  std::set<std::pair<size_t, size_t>> edges;
  for (NodeId id = 0; id < of.size(); ++id)
    for (const NodeId producer : dag.before[id])
      if (of[producer] != of[id]) edges.emplace(of[producer], of[id]);
  while (true) {  // takes away what nobody feeds
    std::set<size_t> fed;
    for (const auto& edge : edges) fed.insert(edge.second);
    const size_t gone = std::erase_if(edges, [&](const auto& edge) { return !fed.contains(edge.first); });
    if (gone == 0) return edges.empty();
  }
}

bool have_edge(const Dag& dag, const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
  for (const NodeId id : b)
    for (const NodeId producer : dag.before[id])
      if (std::ranges::find(a, producer) != a.end()) return true;
  return false;
}

TEST(convex_groups, a_way_out_and_back_cuts) {
  const Dag diamond({{}, {0}, {0}, {1, 2}});
  EXPECT_EQ(diamond.cut({true, true, true, true}), (Groups{{0, 1, 2, 3}}));
  EXPECT_EQ(diamond.cut({true, true, false, true}), (Groups{{0, 1}, {3}}));
  EXPECT_EQ(diamond.cut({false, true, true, true}), (Groups{{1, 2, 3}}));
  EXPECT_EQ(diamond.cut({true, false, false, true}), (Groups{{0}, {3}}));
}

TEST(convex_groups, what_does_not_hang_together_is_apart) {
  const Dag two({{}, {}, {0}, {1}});
  EXPECT_EQ(two.cut({true, true, true, true}), (Groups{{0, 2}, {1, 3}}));
}

TEST(convex_groups, joins_over_what_another_branch_holds_up) {
  EXPECT_EQ(Dag({{}, {0}, {}, {1, 2}}).cut({true, false, true, true}), (Groups{{0}, {2, 3}}));
}

TEST(convex_groups, tied_nodes_stay_together) {
  EXPECT_EQ(Dag({{}, {}, {1}, {0, 2}}).cut({true, true, false, true}, {7, 0, 0, 7}), (Groups{{0, 3}, {1}}));
}

TEST(convex_groups, random_graphs_get_groups_without_cycles_as_large_as_can_be) {
  std::mt19937 random(3);
  for (int round = 0; round < 400; ++round) {
    const size_t count = 2 + random() % 14;
    std::vector<std::vector<NodeId>> before(count);
    std::vector<bool> taken(count);
    for (NodeId id = 0; id < count; ++id) {
      for (NodeId producer = 0; producer < id; ++producer)
        if (random() % 4 == 0) before[id].push_back(producer);
      taken[id] = random() % 3 != 0;
    }
    const Dag dag(before);
    const Groups groups = dag.cut(taken);
    std::set<NodeId> covered;
    for (const auto& group : groups) covered.insert(group.begin(), group.end());
    ASSERT_EQ(covered.size(), static_cast<size_t>(std::ranges::count(taken, true)));
    ASSERT_TRUE(is_acyclic(dag, groups)) << round;
    for (size_t a = 0; a < groups.size(); ++a)
      for (size_t b = 0; b < groups.size(); ++b) {
        if (a == b || !have_edge(dag, groups[a], groups[b])) continue;
        Groups joined = groups;
        joined[a].insert(joined[a].end(), groups[b].begin(), groups[b].end());
        joined.erase(joined.begin() + static_cast<ptrdiff_t>(b));
        ASSERT_FALSE(is_acyclic(dag, joined)) << round << ": groups " << a << " and " << b << " could be one";
      }
  }
}

}  // namespace
}  // namespace sdx::plan
