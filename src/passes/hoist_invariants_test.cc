// What leaves the body of a loop, and what might fail outside of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(hoist_invariants, moves_what_is_the_same_each_time) {
  const auto looped = [](std::string_view nodes, std::string_view result) {
    return after("hoist_invariants", formatted(R"(graph "g" {{
      input n: i64[]
      input x: f32[2, 3]
      input w: f32[3, 2]
      input i: i64[1]
      input s: f32[a, 2]
      input t: f32[b, 2]
      y: f32[?] = Loop(n, _, x) {{body = graph "body" {{
        capture w as w: f32[3, 2]
        capture i as i: i64[1]
        capture s as s: f32[a, 2]
        capture t as t: f32[b, 2]
        input step: i64[]
        input go: bool[]
        input h: f32[2, 3]
        init axes: i64[1] = {{0}}
        init two: f32[] = {{2}}
        again: bool[?] = Identity(go)
        {}
        next: f32[?] = Add(h, {})
        output again
        output next
      }}}}
      output y
    }})",
                                               nodes, result));
  };
  EXPECT_EQ(looped("a: f32[?] = Mul(w, two)\n b: f32[?] = Transpose(a)", "b").text, "Mul Transpose Loop");
  EXPECT_EQ(looped("a: f32[?] = Unsqueeze(w, axes)\n b: f32[?] = Exp(a)\n c: f32[?] = ReduceSum(b)", "c").text,
            "Unsqueeze Exp ReduceSum Loop");
  EXPECT_EQ(looped("a: f32[?] = Unsqueeze(w, axes)\n b: f32[?] = Transpose(a)\n c: f32[?] = ReduceSum(b, i)", "c").text,
            "Unsqueeze Transpose Loop")
      << "axes that may be wrong";
  EXPECT_EQ(looped("a: f32[?] = MatMul(h, w)\n b: f32[?] = MatMul(a, h)", "b").text, "Loop") << "nothing is the same";
  EXPECT_EQ(looped("a: f32[?] = Unsqueeze(w, axes)\n b: f32[?] = ReduceSum(a)\n c: f32[?] = Squeeze(w)", "b").text,
            "Unsqueeze ReduceSum Loop");
  const Outcome gather = looped("a: f32[?] = Gather(w, i)\n b: f32[?] = ReduceSum(a)", "b");
  EXPECT_EQ(gather.text, "Loop") << "an index that may be wrong, and what depends on it";
  EXPECT_THAT(gather.declined, testing::HasSubstr("might fail where it does not run"));
  EXPECT_EQ(looped("a: f32[?] = Add(s, t)\n b: f32[?] = ReduceSum(a)", "b").text, "Loop") << "may not broadcast";
  EXPECT_EQ(looped("a: f32[?] = Exp(s)\n b: f32[?] = ReduceSum(a)", "b").text, "Exp ReduceSum Loop");
}

}  // namespace
}  // namespace sdx::passes
