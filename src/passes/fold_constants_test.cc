#include "passes/fold_constants.h"

#include <gtest/gtest.h>

#include "graph/text.h"
#include "ops/graph_inference.h"

namespace sdx::passes {
namespace {

// How many nodes are folded, and what is left.
std::pair<int, size_t> folded(std::string_view text) {
  auto parsed = parse_graph(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  if (!parsed.ok()) return {-1, 0};
  Graph graph = std::move(parsed).value();
  ops::InferenceBudget budget;
  EXPECT_TRUE(ops::infer_graph(graph, budget).ok());
  const auto count = fold_constants(graph);
  EXPECT_TRUE(count.ok());
  return {*count, graph.node_count()};
}

TEST(fold_constants, computes_chains_of_known_values) {
  EXPECT_EQ(folded(R"(graph "g" {
    input x: f32[2]
    init w: f32[2] = {1, 2}
    a: f32[?] = Mul(w, w)
    b: f32[?] = Exp(a)
    y: f32[?] = Add(x, b)
    output y
  })"),
            std::make_pair(2, size_t{1}));
}

TEST(fold_constants, keeps_what_a_caller_may_change_or_asks_for) {
  EXPECT_EQ(folded(R"(graph "g" {
    input w: f32[2] = {1, 2}
    init v: f32[2] = {1, 2}
    a: f32[?] = Exp(w)
    b: f32[?] = Exp(v)
    output a
    output b
  })")
                .first,
            0)
      << "an initializer that is an input, and a graph output";
}

TEST(fold_constants, keeps_random_numbers_and_what_would_grow) {
  EXPECT_EQ(folded(R"(graph "g" {
    init s: i64[2] = {2048, 2048}
    a: f32[?] = RandomNormal() {shape = ints[2]}
    b: f32[?] = ConstantOfShape(s)
    y: f32[?] = Exp(a)
    z: f32[?] = Exp(b)
    output y
    output z
  })")
                .first,
            0);
}

TEST(fold_constants, leaves_what_fails_to_the_run) {
  EXPECT_EQ(folded(R"(graph "g" {
    init a: i32[1] = {1}
    init b: i32[1] = {0}
    c: i32[?] = Div(a, b)
    y: i32[?] = Add(c, c)
    output y
  })")
                .first,
            0);
}

}  // namespace
}  // namespace sdx::passes
