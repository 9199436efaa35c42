// Casts, transposes and reshapings in a row, equal nodes, and nodes that nobody sees.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(merge_chains, casts_that_lose_nothing) {
  const auto casts = [](std::string_view from, int between, int to) {
    return ops_after("merge_chains remove_dead_nodes", formatted(R"(graph "g" {{
      input x: {}[2]
      a: ? = Cast(x) {{to = {}}}
      b: ? = Cast(a) {{to = {}}}
      output b
    }})",
                                                                 from, between, to));
  };
  EXPECT_EQ(casts("f16", 1, 16), "Cast");       // float, then bfloat16
  EXPECT_EQ(casts("i32", 7, 1), "Cast");        // int64, then float
  EXPECT_EQ(casts("bool", 1, 7), "Cast");       // float, then int64
  EXPECT_EQ(casts("f32", 10, 1), "Cast Cast");  // float16 rounds
  EXPECT_EQ(casts("i32", 1, 7), "Cast Cast");   // float rounds large ones
  EXPECT_EQ(casts("f32", 7, 1), "Cast Cast");   // int64 truncates
  EXPECT_EQ(casts("i64", 6, 7), "Cast Cast");   // int32 wraps
  EXPECT_EQ(casts("u8", 3, 6), "Cast Cast");    // int8 wraps
  EXPECT_EQ(casts("f32", 9, 1), "Cast Cast");   // bool forgets
  EXPECT_EQ(casts("f16", 11, 8), "Cast Cast");  // as text, a double has more digits
  EXPECT_EQ(casts("u8", 1, 8), "Cast Cast");
  EXPECT_EQ(casts("f32", 1, 8), "Cast");
}

TEST(merge_chains, transposes_and_reshapings) {
  EXPECT_EQ(ops_after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[2, 3, 4]
    a: f32[?] = Transpose(x) {perm = ints[1, 2, 0]}
    y: f32[?] = Transpose(a) {perm = ints[1, 0, 2]}
    output y
  })"),
            "Transpose");
  EXPECT_EQ(ops_after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[n, 3, 4]
    init axes: i64[1] = {0}
    a: f32[?] = Flatten(x)
    y: f32[?] = Unsqueeze(a, axes)
    output y
  })"),
            "Reshape");
  EXPECT_EQ(after("merge_chains remove_dead_nodes", R"(graph "g" {
    input x: f32[n, m, 4]
    init axes: i64[1] = {0}
    init more: i64[1] = {1}
    a: f32[?] = Unsqueeze(x, axes)
    y: f32[?] = Unsqueeze(a, more)
    output y
  })")
                .declined,
            "Reshape + Reshape: more than one dimension is not known\n");
}

TEST(share_equal_nodes, computes_once) {
  EXPECT_EQ(ops_after("share_equal_nodes", R"(graph "g" {
    input x: f32[2]
    init one: f32[1] = {1}
    init uno: f32[1] = {1}
    init two: f32[1] = {2}
    a: f32[?] = Add(x, one)
    b: f32[?] = Add(x, uno)
    c: f32[?] = Add(x, two)
    d: f32[?] = Mul(a, b)
    y: f32[?] = Mul(d, c)
    output y
  })"),
            "Add Add Mul Mul");
  EXPECT_EQ(after("share_equal_nodes", R"(graph "g" {
    a: f32[?] = RandomNormal() {shape = ints[2]}
    b: f32[?] = RandomNormal() {shape = ints[2]}
    y: f32[?] = Add(a, b)
    output y
  })")
                .rewrites,
            0u);
}

TEST(remove_dead_nodes, keeps_what_is_seen) {
  EXPECT_EQ(ops_after("remove_dead_nodes", R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Exp(x)
    b: f32[?] = Log(a)
    y: f32[?] = Neg(x)
    output y
  })"),
            "Neg");
}

}  // namespace
}  // namespace sdx::passes
