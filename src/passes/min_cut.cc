#include "passes/min_cut.h"

#include <algorithm>

namespace sdx::passes {

uint32_t MinCut::add_place() {
  edges_of_.emplace_back();
  return static_cast<uint32_t>(edges_of_.size() - 1);
}

void MinCut::add_cost(uint32_t a, uint32_t b, int64_t cost) {
  if (a == b || cost <= 0) return;
  edges_of_[a].push_back(static_cast<uint32_t>(edges_.size()));
  edges_.push_back({b, cost});
  edges_of_[b].push_back(static_cast<uint32_t>(edges_.size()));
  edges_.push_back({a, 0});
}

// Distances from the first side along edges that have something left; whether the second side is reached.
bool MinCut::find_levels() {
  level_.assign(edges_of_.size(), -1);
  level_[kFirst] = 0;
  std::vector<uint32_t> queue = {kFirst};
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t place = queue[at];
    for (const uint32_t id : edges_of_[place]) {
      --steps_left_;
      const Edge& edge = edges_[id];
      if (edge.left == 0 || level_[edge.to] >= 0) continue;
      level_[edge.to] = level_[place] + 1;
      queue.push_back(edge.to);
    }
  }
  return level_[kSecond] >= 0;
}

// As many shortest ways as there are, without recursion.
bool MinCut::push_along_levels() {
  next_.assign(edges_of_.size(), 0);
  std::vector<uint32_t> way;  // edges
  while (steps_left_ > 0) {
    const uint32_t place = way.empty() ? kFirst : edges_[way.back()].to;
    if (place == kSecond) {
      int64_t least = kNever;
      for (const uint32_t id : way) least = std::min(least, edges_[id].left);
      size_t full = 0;
      for (size_t i = way.size(); i-- > 0;) {
        --steps_left_;
        edges_[way[i]].left -= least;
        edges_[way[i] ^ 1].left += least;
        if (edges_[way[i]].left == 0) full = i;
      }
      way.resize(full);
      continue;
    }
    uint32_t& next = next_[place];
    const auto leads_on = [&](uint32_t id) {
      return edges_[id].left > 0 && level_[edges_[id].to] == level_[place] + 1;
    };
    while (next < edges_of_[place].size() && !leads_on(edges_of_[place][next])) ++next, --steps_left_;
    if (next < edges_of_[place].size()) {
      way.push_back(edges_of_[place][next]);
    } else if (way.empty()) {
      return true;
    } else {
      level_[place] = -1;
      way.pop_back();
    }
  }
  return false;
}

bool MinCut::solve(int64_t most_steps) {
  steps_left_ = most_steps;
  while (find_levels())
    if (!push_along_levels()) return false;
  return true;
}

}  // namespace sdx::passes
