// Nodes that do nothing go; what only looks like one stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

// What these give is their input `a`, of shape [2, 3].
constexpr std::string_view kNoOps[] = {"Identity(a)",
                                       "Dropout(a)",
                                       "Cast(a) {to = 1}",
                                       "Transpose(a) {perm = ints[0, 1]}",
                                       "Concat(a) {axis = 0}",
                                       "Mul(a, one)",
                                       "Mul(one, a)",
                                       "Div(a, one)",
                                       "Pow(a, one)",
                                       "Add(a, minus_zero)",
                                       "Sub(a, zero)",
                                       "Sum(a)",
                                       "Mean(a)",
                                       "Max(a)",
                                       "Min(a)",
                                       "Clip(a)",
                                       "Reshape(a, shape)",
                                       "Expand(a, ones)",
                                       "Tile(a, ones)",
                                       "Pad(a, zeros)",
                                       "Slice(a, none, two)",
                                       "Flatten(a)"};
constexpr std::string_view kNoOpWeights = R"(
      init one: f32[1] = {1}
      init zero: f32[1] = {0}
      init minus_zero: f32[1] = {-0}
      init shape: i64[2] = {2, 3}
      init ones: i64[2] = {1, 1}
      init two: i64[2] = {2, 3}
      init none: i64[2] = {0, 0}
      init zeros: i64[4] = {0, 0, 0, 0})";

TEST(eliminate_no_ops, forwards_inputs) {
  for (const std::string_view node : kNoOps) {
    EXPECT_EQ(ops_after("eliminate_no_ops", formatted(R"(graph "g" {{
      input x: f32[2, 3]{}
      a: f32[?] = Exp(x)
      b: f32[?] = {}
      y: f32[?] = Neg(b)
      output y
    }})",
                                                      kNoOpWeights, node)),
              "Exp Neg")
        << node;
  }
}

TEST(eliminate_no_ops, forwards_what_the_reference_would_give) {
  for (const std::string_view node : kNoOps) {
    if (node == "Dropout(a)") continue;  // may be random: never folded
    const Outcome outcome = after("fold_constants", formatted(R"(graph "g" {{
      input x: f32[2, 3]
      init a: f32[2, 3] = {{-0, 0, 1, inf, -inf, 1e-40}}{}
      b: f32[?] = {}
      y: f32[?] = Add(x, b)
      output y
    }})",
                                                              kNoOpWeights, node));
    EXPECT_EQ(outcome.text, "Add") << node;
    EXPECT_THAT(outcome.graph, testing::HasSubstr("init b: f32[2, 3] = {-0, 0, 1, inf, -inf, 1e-40}")) << node;
  }
}

TEST(eliminate_no_ops, keeps_what_changes_something) {
  for (const std::string_view node :
       {"Add(a, zero)" /* -0 becomes 0 */, "Sub(zero, a)", "Div(one, a)", "Mul(a, wide)", "Transpose(a)",
        "Slice(a, last, first, axes, back)", "Pad(a, shift)", "Cast(a) {to = 11}", "Add(wide, a)"}) {
    const Outcome outcome = after("eliminate_no_ops", formatted(R"(graph "g" {{
      input x: f32[3, 3]
      init one: f32[1] = {{1}}
      init zero: f32[1] = {{0}}
      init wide: f32[2, 1, 1] = {{1, 1}}
      init last: i64[1] = {{2}}
      init first: i64[1] = {{-9}}
      init axes: i64[1] = {{0}}
      init back: i64[1] = {{-1}}
      init shift: i64[4] = {{1, 0, -1, 0}}
      a: f32[?] = Exp(x)
      b: ? = {}
      y: ? = Neg(b)
      output y
    }})",
                                                                node));
    EXPECT_EQ(outcome.rewrites, 0u) << node;
  }
}

TEST(eliminate_no_ops, keeps_the_names_of_outputs) {
  const std::string_view text = R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Exp(x)
    y: f32[?] = Identity(a)
    z: f32[?] = Identity(a)
    w: f32[?] = Identity(x)
    output y
    output z
    output w
  })";
  EXPECT_EQ(ops_after("eliminate_no_ops", text), "Exp Identity Identity")
      << "two outputs cannot be one value, and an input has its own name";
}

TEST(pipeline, stops_after_the_nth_rewrite) {
  const std::string_view text = R"(graph "g" {
    input x: f32[2]
    a: f32[?] = Identity(x)
    b: f32[?] = Identity(a)
    c: f32[?] = Identity(b)
    y: f32[?] = Neg(c)
    output y
  })";
  for (uint64_t last = 0; last <= 3; ++last) {
    const Outcome outcome = after("eliminate_no_ops", text, last);
    EXPECT_EQ(outcome.rewrites, last);
    EXPECT_EQ(std::ranges::count(outcome.text, 'I'), static_cast<int64_t>(3 - last));
  }
}

}  // namespace
}  // namespace sdx::passes
