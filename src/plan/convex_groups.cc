#include "plan/convex_groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace sdx::plan {
namespace {

using Item = uint32_t;  // nodes that are tied, or one node

class Cutter {
 public:
  Cutter(const Graph& graph, const std::vector<NodeId>& order, const std::vector<bool>& taken,
         const std::vector<uint32_t>& tied)
      : graph_(graph), order_(order) {
    make_items(taken, tied);
    make_edges();
    number_stages();
    join_stages();
    join_more();
  }

  std::vector<std::vector<NodeId>> groups() {
    std::map<Item, size_t> index;
    std::vector<std::vector<NodeId>> groups;
    for (const NodeId id : order_) {
      if (!taken_[item_of_[id]]) continue;
      const auto [place, fresh] = index.emplace(root(item_of_[id]), groups.size());
      if (fresh) groups.emplace_back();
      groups[place->second].push_back(id);
    }
    return groups;
  }

 private:
  void make_items(const std::vector<bool>& taken, const std::vector<uint32_t>& tied) {
    item_of_.assign(graph_.node_slots(), 0);
    std::map<uint32_t, Item> known;
    for (const NodeId id : order_) {
      const uint32_t tie = id < tied.size() ? tied[id] : 0;
      auto item = static_cast<Item>(taken_.size());
      if (tie != 0) item = known.emplace(tie, item).first->second;
      if (item == taken_.size()) taken_.push_back(taken[id]);
      item_of_[id] = item;
    }
    parent_.resize(taken_.size());
    std::iota(parent_.begin(), parent_.end(), Item{0});
  }

  void make_edges() {
    next_.resize(taken_.size());
    for (const NodeId id : order_)
      for (const ValueId output : graph_.node(id).outputs) {
        if (output == kNoValue) continue;
        for (const NodeId user : graph_.value(output).users)
          if (item_of_[user] != item_of_[id]) next_[item_of_[id]].push_back(item_of_[user]);
      }
    for (auto& list : next_) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  // How often a path to the item came in from outside: the taken items of one stage have no path between them that
  // leaves them.
  void number_stages() {
    std::vector<uint32_t> missing(taken_.size(), 0);
    for (const auto& list : next_)
      for (const Item item : list) ++missing[item];
    std::vector<Item> ready;
    for (Item item = 0; item < taken_.size(); ++item)
      if (missing[item] == 0) ready.push_back(item);
    stage_.assign(taken_.size(), 0);
    while (!ready.empty()) {
      const Item item = ready.back();
      ready.pop_back();
      for (const Item user : next_[item]) {
        stage_[user] = std::max(stage_[user], stage_[item] + (taken_[user] && !taken_[item] ? 1 : 0));
        if (--missing[user] == 0) ready.push_back(user);
      }
    }
  }

  void join_stages() {
    for (Item item = 0; item < taken_.size(); ++item)
      for (const Item user : next_[item])
        if (taken_[item] && taken_[user] && stage_[item] == stage_[user]) parent_[root(user)] = root(item);
    members_.resize(taken_.size());
    for (Item item = 0; item < taken_.size(); ++item) members_[root(item)].push_back(item);
  }

  // Groups of different stages with an edge between them, where nothing else leads from the one to the other.
  void join_more() {
    budget_ = 64 * taken_.size() + 10'000;
    seen_.assign(taken_.size(), 0);
    for (Item item = 0; item < taken_.size(); ++item)
      for (const Item user : next_[item]) {
        if (budget_ == 0) return;
        if (!taken_[item] || !taken_[user] || root(item) == root(user) || has_detour(root(item), root(user))) continue;
        const Item kept = root(item), gone = root(user);
        parent_[gone] = kept;
        members_[kept].insert(members_[kept].end(), members_[gone].begin(), members_[gone].end());
        members_[gone].clear();
      }
  }

  // A path from one group to the other through a third: an item, or all of a group.
  bool has_detour(Item from, Item to) {
    ++look_;
    seen_[from] = look_;
    std::vector<Item> open;
    const auto enter = [&](Item group, bool direct) {
      for (const Item member : members_[group])
        for (const Item user : next_[member]) {
          if (budget_ == 0) return true;
          --budget_;
          const Item next = root(user);
          if (next == to && !direct) return true;
          if (next == to || seen_[next] == look_) continue;
          seen_[next] = look_;
          open.push_back(next);
        }
      return false;
    };
    if (enter(from, true)) return true;
    while (!open.empty()) {
      const Item group = open.back();
      open.pop_back();
      if (enter(group, false)) return true;
    }
    return false;
  }

  Item root(Item item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }

  const Graph& graph_;
  const std::vector<NodeId>& order_;
  std::vector<Item> item_of_;  // by node
  std::vector<bool> taken_;    // by item, as all below
  std::vector<std::vector<Item>> next_, members_;
  std::vector<uint32_t> stage_, seen_;
  std::vector<Item> parent_;
  size_t budget_ = 0;
  uint32_t look_ = 0;
};

}  // namespace

std::vector<std::vector<NodeId>> convex_groups(const Graph& graph, const std::vector<NodeId>& order,
                                               const std::vector<bool>& taken, const std::vector<uint32_t>& tied) {
  return Cutter(graph, order, taken, tied).groups();
}

}  // namespace sdx::plan
