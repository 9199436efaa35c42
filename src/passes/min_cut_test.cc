#include "passes/min_cut.h"

#include <gtest/gtest.h>

#include <random>

namespace sdx::passes {
namespace {

struct Cost {
  uint32_t a, b;
  int64_t amount;
};

int64_t cost_of(const std::vector<Cost>& costs, uint32_t firsts) {
  const auto is_first = [&](uint32_t place) {
    return place == MinCut::kFirst || (place != MinCut::kSecond && (firsts >> (place - 2) & 1) != 0);
  };
  int64_t sum = 0;
  for (const Cost& cost : costs)
    if (is_first(cost.a) && !is_first(cost.b)) sum += cost.amount;
  return sum;
}

TEST(min_cut, is_as_cheap_as_the_best_of_all_divisions) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const uint32_t places = 1 + random() % 8;
    MinCut cut;
    for (uint32_t i = 0; i < places; ++i) cut.add_place();
    std::vector<Cost> costs;
    for (uint32_t i = 0; i < 3 * places; ++i) {
      const auto place = [&] { return static_cast<uint32_t>(random() % (places + 2)); };
      costs.push_back({place(), place(), static_cast<int64_t>(random() % 20)});
      if (costs.back().a == costs.back().b) costs.pop_back();
    }
    for (const Cost& cost : costs) cut.add_cost(cost.a, cost.b, cost.amount);
    ASSERT_TRUE(cut.solve(1'000'000));
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < places; ++i) chosen |= uint32_t{cut.is_first(i + 2)} << i;
    int64_t best = INT64_MAX;
    for (uint32_t firsts = 0; firsts < (1u << places); ++firsts) best = std::min(best, cost_of(costs, firsts));
    EXPECT_EQ(cost_of(costs, chosen), best);
  }
}

TEST(min_cut, gives_up_in_time) {
  MinCut cut;
  uint32_t before = MinCut::kFirst;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t place = cut.add_place();
    cut.add_cost(before, place, 5);
    before = place;
  }
  cut.add_cost(before, MinCut::kSecond, 5);
  EXPECT_FALSE(cut.solve(100));
  EXPECT_TRUE(cut.solve(100'000));
}

}  // namespace
}  // namespace sdx::passes
