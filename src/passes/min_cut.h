// MinCut: divides places between two sides at the least cost (Dinic's maximum flow).
#pragma once

#include <cstdint>
#include <vector>

namespace sdx::passes {

class MinCut {
 public:
  static constexpr uint32_t kFirst = 0, kSecond = 1;  // the two sides
  static constexpr int64_t kNever = INT64_MAX / 4;

  MinCut() : edges_of_(2) {}
  uint32_t add_place();
  // Costs that much where `a` is on the first side and `b` on the second.
  void add_cost(uint32_t a, uint32_t b, int64_t cost);

  // False, without an answer, after more than so many steps.
  bool solve(int64_t most_steps);
  // Of all cheapest divisions the one with the fewest places on the first side.
  bool is_first(uint32_t place) const { return level_[place] >= 0; }

 private:
  struct Edge {
    uint32_t to;
    int64_t left;  // its pair is the edge with the last bit changed
  };
  bool find_levels();
  bool push_along_levels();

  std::vector<Edge> edges_;
  std::vector<std::vector<uint32_t>> edges_of_;
  std::vector<int32_t> level_;
  std::vector<uint32_t> next_;
  int64_t steps_left_ = 0;
};

}  // namespace sdx::passes
