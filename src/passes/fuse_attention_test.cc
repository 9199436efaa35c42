// Attention in pieces: which become one node, and which nearly do. Values are compared in tests/passes/forms.py.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

// `between` makes the softmax's operand `s` from the scores `p`; `after` makes w, the weights, of its result `m`.
Outcome with_scores(std::string_view between, std::string_view after_it = "w: ? = Identity(m)",
                    std::string_view more = "") {
  return after("eliminate_no_ops fuse_attention", formatted(R"(graph "g" {{
    input q: f32[2, 4, 3, 8]
    input k: f32[2, 4, 5, 8]
    input v: f32[2, 4, 5, 8]
    input mask: f32[2, 1, 1, 5]
    input seen: bool[2, 1, 3, 5]
    init low: f32[] = {{-1e30}}
    init none: f32[] = {{nan}}
    init two: f32[2, 1, 1, 1] = {{-1, -2}}
    init zero: f32[] = {{0}}
    init five: f32[] = {{5}}
    init minus: f32[] = {{-5}}
    t: ? = Transpose(k) {{perm = ints[0, 1, 3, 2]}}
    p: ? = MatMul(q, t)
    {}
    m: ? = Softmax(s)
    {}
    y: ? = MatMul(w, v)
    output y
    {}
  }})",
                                                            between, after_it, more));
}

TEST(fuse_attention, masks_and_choices) {
  constexpr std::string_view kOne = "ScaledDotProductAttention";
  EXPECT_EQ(with_scores("s: ? = Add(p, mask)").text, kOne);
  EXPECT_EQ(with_scores("s: ? = Where(seen, p, low)").text, kOne);
  EXPECT_EQ(with_scores("s: ? = Where(seen, low, p)").text, kOne);
  EXPECT_EQ(with_scores("c: ? = Where(seen, p, low)\n s: ? = Add(c, mask)").text, kOne);
  EXPECT_EQ(with_scores("d: ? = Shape(p)\n e: ? = Expand(mask, d)\n s: ? = Add(e, p)").text, kOne);
  EXPECT_EQ(with_scores("s: ? = Add(p, mask)", "n: ? = IsNaN(m)\n w: ? = Where(n, zero, m)").text, kOne);
  constexpr std::string_view kCap = "d: ? = Div(p, five)\n h: ? = Tanh(d)\n ";
  EXPECT_EQ(with_scores(formatted("{}s: ? = Mul(h, five)", kCap)).text, kOne);
  EXPECT_EQ(with_scores(formatted("{}c: ? = Mul(five, h)\n s: ? = Add(c, mask)", kCap)).text, kOne);
  EXPECT_EQ(with_scores("h: ? = Tanh(p)\n s: ? = Mul(h, five)").text, kOne);
}

TEST(fuse_attention, what_is_nearly_one) {
  const auto is_kept = [](const Outcome& outcome) { return outcome.text.find("Softmax") != std::string::npos; };
  EXPECT_TRUE(is_kept(with_scores("c: ? = Add(p, mask)\n s: ? = Where(seen, c, low)")))
      << "the number that is chosen would get the mask, too";
  EXPECT_TRUE(is_kept(with_scores("s: ? = Where(seen, p, none)")));
  EXPECT_TRUE(is_kept(with_scores("s: ? = Where(seen, p, two)"))) << "more than one number";
  EXPECT_TRUE(is_kept(with_scores("s: ? = Add(p, mask)", "n: ? = IsNaN(m)\n w: ? = Where(n, low, m)")));
  EXPECT_TRUE(is_kept(with_scores("s: ? = Add(p, mask)", "n: ? = IsNaN(s)\n w: ? = Where(n, zero, m)")));
  EXPECT_TRUE(is_kept(with_scores("d: ? = Div(p, five)\n h: ? = Tanh(d)\n s: ? = Mul(h, minus)")));
  EXPECT_TRUE(is_kept(with_scores("d: ? = Div(p, five)\n h: ? = Tanh(d)\n s: ? = Add(h, mask)")));
  EXPECT_TRUE(is_kept(with_scores("c: ? = Where(seen, p, low)\n h: ? = Tanh(c)\n s: ? = Mul(h, five)")))
      << "the number that is chosen would not be capped";
  const Outcome seen = with_scores("s: ? = Add(p, mask)", "w: ? = Identity(m)", "output p");
  EXPECT_TRUE(is_kept(seen));
  EXPECT_NE(seen.declined.find("what is between its nodes is used elsewhere"), std::string::npos) << seen.declined;
  EXPECT_TRUE(is_kept(with_scores("d: ? = Shape(p)\n s: ? = Add(p, mask)", "w: ? = Identity(m)", "output d")));
}

// Keys and values of 2 heads for 4, by `repeat` from k2 to k and from v2 to v.
std::string grouped(std::string_view shape, std::string_view more = "") {
  return ops_after("fuse_attention", formatted(R"(graph "g" {{
    input q: f32[2, 4, 3, 8]
    input k2: f32[2, 2, 5, 8]
    input v2: f32[2, 2, 5, 8]
    init axis: i64[1] = {{2}}
    init wide: i64[5] = {{2, 2, 2, 5, 8}}
    init shape: i64[4] = {}
    ku: ? = Unsqueeze(k2, axis)
    ke: ? = Expand(ku, wide)
    k: ? = Reshape(ke, shape)
    vu: ? = Unsqueeze(v2, axis)
    ve: ? = Expand(vu, wide)
    v: ? = Reshape(ve, shape)
    t: ? = Transpose(k) {{perm = ints[0, 1, 3, 2]}}
    p: ? = MatMul(q, t)
    m: ? = Softmax(p)
    y: ? = MatMul(m, v)
    output y
    {}
  }})",
                                               shape, more));
}

TEST(fuse_attention, heads_that_share_keys) {
  EXPECT_EQ(grouped("{2, 4, 5, 8}"), "ScaledDotProductAttention");
  EXPECT_EQ(grouped("{2, 4, 5, 8}", "output k"), "Unsqueeze Expand Reshape ScaledDotProductAttention");
}

TEST(shape_first, a_transpose_that_is_only_measured) {
  const auto made = [](std::string_view more) {
    return ops_after("shape_first", formatted(R"(graph "g" {{
      input x: f32[n, m, 4]
      init i: i64[] = {{-1}}
      t: ? = Transpose(x) {{perm = ints[2, 0, 1]}}
      s: ? = Shape(t)
      d: ? = Gather(s, i)
      y: ? = Neg(d)
      output y
      {}
    }})",
                                              more));
  };
  EXPECT_EQ(made(""), "Shape Gather Neg");
  EXPECT_EQ(made("output t"), "Transpose Shape Gather Neg");
  EXPECT_EQ(made("e: ? = Exp(t)\n output e"), "Transpose Shape Gather Neg Exp");
}

// Rotary embedding of `x` by what turns it, `t`.
std::string turned(std::string_view turning, std::string_view more = "") {
  return ops_after("fuse_rotary", formatted(R"(graph "g" {{
    input given: f32[2, 3, 4, 8]
    input c: f32[2, 1, 3, 8]
    input s: f32[2, 1, 3, 8]
    init zero: i64[1] = {{0}}
    init one: i64[1] = {{1}}
    init two: i64[1] = {{2}}
    init four: i64[1] = {{4}}
    init five: i64[1] = {{5}}
    init last: i64[1] = {{3}}
    init end: i64[1] = {{9223372036854775807}}
    init behind: i64[1] = {{4}}
    init whole: i64[4] = {{2, 4, 3, 8}}
    x: ? = Transpose(given) {{perm = ints[0, 2, 1, 3]}}
    {}
    a: ? = Mul(x, c)
    b: ? = Mul(s, t)
    y: ? = Add(a, b)
    output y
    {}
  }})",
                                            turning, more));
}

TEST(fuse_rotary, halves_and_neighbours) {
  constexpr std::string_view kSlices = R"(p: ? = Slice(x, zero, four, last)
    r: ? = Slice(x, four, end, last)
    n: ? = Neg(r)
    t: ? = Concat(n, p) {axis = 3})";
  EXPECT_EQ(turned(kSlices), "RotateHalf Transpose");
  EXPECT_EQ(turned(kSlices, "output x"), "Transpose RotateHalf Transpose");
  EXPECT_EQ(
      turned("p: ?, r: ? = Split(x) {axis = 3, num_outputs = 2}\n n: ? = Neg(r)\n t: ? = Concat(n, p) {axis = -1}"),
      "RotateHalf Transpose");
  EXPECT_EQ(turned(R"(p: ? = Slice(x, zero, end, last, two)
    r: ? = Slice(x, one, end, last, two)
    n: ? = Neg(r)
    pu: ? = Unsqueeze(p, behind)
    nu: ? = Unsqueeze(n, behind)
    j: ? = Concat(nu, pu) {axis = -1}
    t: ? = Reshape(j, whole))"),
            "RotateHalf Transpose");
}

TEST(fuse_rotary, what_turns_otherwise) {
  const auto is_kept = [](const std::string& text) { return text.find("RotateHalf") == std::string::npos; };
  EXPECT_TRUE(is_kept(
      turned("p: ?, r: ? = Split(x) {axis = 3, num_outputs = 2}\n n: ? = Neg(p)\n t: ? = Concat(n, r) {axis = -1}")))
      << "the other half is negative";
  EXPECT_TRUE(is_kept(
      turned("p: ?, r: ? = Split(x) {axis = 3, num_outputs = 2}\n n: ? = Neg(r)\n t: ? = Concat(p, n) {axis = -1}")));
  EXPECT_TRUE(is_kept(turned(R"(p: ? = Slice(x, zero, five, last)
    r: ? = Slice(x, five, end, last)
    n: ? = Neg(r)
    t: ? = Concat(n, p) {axis = 3})")))
      << "no halves";
  EXPECT_TRUE(is_kept(
      turned("p: ?, r: ? = Split(x) {axis = 3, num_outputs = 2}\n n: ? = Neg(r)\n t: ? = Concat(n, p) {axis = -1}",
             "output n")));
}

TEST(fuse_attention, products_and_softmax_over_heads) {
  const auto spelled = [](std::string_view perm, std::string_view scores, std::string_view axis,
                          std::string_view more) {
    return ops_after("fuse_attention remove_dead_nodes", formatted(R"(graph "g" {{
      input q: f32[b, 2, n, 4]
      input k: f32[b, 2, m, 4]
      input v: f32[b, 2, m, 5]
      input mask: f32[b, 1, 1, l]
      init scale: f32[] = {{0.5}}
      init two: f32[2, 1, 1] = {{0.5, 2}}
      t: f32[?] = Transpose(k) {{perm = ints[{}]}}
      p: f32[?] = MatMul(q, t)
      f: f32[?] = com.microsoft.FusedMatMul(q, k) {{alpha = 0.5, transB = 1}}
      s: f32[?] = Mul(p, scale)
      h: f32[?] = Mul(p, two)
      d: f32[?] = Add(s, mask)
      e: f32[?] = Add(h, mask)
      w: f32[?] = Softmax({}) {{axis = {}}}
      y: f32[?] = MatMul(w, v)
      output y
      {}
    }})",
                                                                   perm, scores, axis, more));
  };
  constexpr std::string_view kTurned = "0, 1, 3, 2", kSpelled = "Transpose MatMul Softmax MatMul";
  EXPECT_EQ(spelled(kTurned, "d", "-1", ""), "ScaledDotProductAttention");
  EXPECT_EQ(spelled(kTurned, "s", "3", ""), "ScaledDotProductAttention") << "no mask";
  EXPECT_EQ(spelled(kTurned, "p", "-1", ""), "ScaledDotProductAttention") << "no scale";
  EXPECT_EQ(spelled(kTurned, "f", "-1", ""), "ScaledDotProductAttention") << "the product transposes";
  EXPECT_EQ(spelled(kTurned, "p", "-2", ""), kSpelled) << "another axis";
  EXPECT_EQ(spelled(kTurned, "p", "-1", "output w"), kSpelled) << "the weights are wanted";
  EXPECT_EQ(spelled(kTurned, "e", "-1", ""), "Transpose MatMul Mul Add Softmax MatMul") << "a factor a head";
}

}  // namespace
}  // namespace sdx::passes
