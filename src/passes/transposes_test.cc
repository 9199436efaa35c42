// Transposes that products and elementwise operators make needless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(push_transposes, meet_their_inverses) {
  const auto pushed = [](std::string_view nodes) {
    return after("push_transposes", formatted(R"(graph "g" {{
      input x: f32[2, 3, 4, 5]
      input z: f32[2, 3, 4, 5]
      input one: f32[]
      t: f32[?] = Transpose(x) {{perm = ints[0, 2, 3, 1]}}
      u: f32[?] = Transpose(z) {{perm = ints[0, 2, 3, 1]}}
      {}
    }})",
                                              nodes));
  };
  const std::string back = " {perm = ints[0, 3, 1, 2]}\n output y";
  EXPECT_EQ(pushed("a: f32[?] = Relu(t)\n y: f32[?] = Transpose(a)" + back).text, "Transpose Relu") << "u is dead";
  EXPECT_EQ(pushed("a: f32[?] = Add(t, u)\n b: f32[?] = Exp(a)\n y: f32[?] = Transpose(b)" + back).text, "Add Exp");
  EXPECT_EQ(pushed("a: f32[?] = Add(t, u)\n b: f32[?] = Clip(a, one)\n output b").text, "Add Clip Transpose");
  EXPECT_EQ(pushed("a: f32[?] = Relu(t)\n y: f32[?] = Transpose(a) {perm = ints[0, 2, 1, 3]}\n output y").text,
            "Transpose Relu Transpose")
      << "two are one";
  const Outcome channels =
      pushed("a: f32[?] = Mul(t, u)\n b: f32[?] = Clip(a, _, one)\n y: f32[?] = Transpose(b)" + back);
  EXPECT_EQ(channels.text, "Mul Clip");
  const Outcome twice = pushed(
      "a: f32[?] = Add(t, u)\n y: f32[?] = Transpose(a) {perm = ints[0, 3, 1, 2]}\n b: f32[?] = Exp(y)\n"
      "v: f32[?] = Transpose(b) {perm = ints[0, 2, 3, 1]}\n output v");
  EXPECT_EQ(twice.text, "Add Exp Transpose");

  EXPECT_EQ(pushed("a: f32[?] = Relu(t)\n output a").text, "Transpose Transpose Relu") << "nothing to win";
  const Outcome kept = pushed(
      "a: f32[?] = Relu(t)\n b: f32[?] = Neg(t)\n output a\n output b\n output t\n"
      "y: f32[?] = Transpose(a)" +
      back);
  EXPECT_EQ(kept.text, "Transpose Transpose Relu Neg Transpose");
  EXPECT_THAT(kept.declined, testing::HasSubstr("2 transposes, 3 if they moved behind"));
}

TEST(push_transposes, turn_weights_of_one_dimension) {
  const auto pushed = [](std::string_view weight) {
    return after("push_transposes fold_constants", formatted(R"(graph "g" {{
      input x: f32[2, 3, 4]
      init w: f32[{}] = {{1, 2, 3}}
      t: f32[?] = Transpose(x) {{perm = ints[0, 2, 1]}}
      a: f32[?] = Mul(t, w)
      y: f32[?] = Transpose(a) {{perm = ints[0, 2, 1]}}
      output y
    }})",
                                                             weight));
  };
  for (const std::string_view weight : {"3", "1, 3", "1, 1, 3"}) {
    const Outcome outcome = pushed(weight);
    EXPECT_EQ(outcome.text, "Mul") << weight;
    EXPECT_THAT(outcome.graph, testing::HasSubstr("f32[1, 3, 1] = {1, 2, 3}")) << weight;
  }
}

TEST(push_transposes, keep_beside_other_operands) {
  for (const std::string_view operand : {"w", "v", "t"}) {
    EXPECT_EQ(ops_after("push_transposes", formatted(R"(graph "g" {{
      input x: f32[2, 3, 2]
      input v: f32[3]
      init w: f32[2, 3] = {{1, 2, 3, 4, 5, 6}}
      t: f32[?] = Transpose(v)
      r: f32[?] = Transpose(x) {{perm = ints[0, 2, 1]}}
      a: f32[?] = Mul(r, {})
      y: f32[?] = Transpose(a) {{perm = ints[0, 2, 1]}}
      output y
    }})",
                                                     operand)),
              "Transpose Transpose Mul Transpose")
        << operand;
  }
}

// r + m1 + m2 ..., channels on axis 1 for one reader of each sum, last for what makes the addends.
TEST(push_transposes, turn_one_operand_where_several_need_not_be_turned) {
  const auto pushed = [](std::string_view operand, std::string_view nodes) {
    return after("push_transposes", formatted(R"(graph "g" {{
      input r: f32[{}]
      input m: f32[2, 4, 5, 3]
      input n: f32[2, 4, 5, 3]
      t: f32[?] = Transpose(m) {{perm = ints[0, 3, 1, 2]}}
      u: f32[?] = Transpose(n) {{perm = ints[0, 3, 1, 2]}}
      a: f32[?] = Add(t, r)
      b: f32[?] = Add(a, u)
      {}
    }})",
                                              operand, nodes));
  };
  const std::string back = "y: f32[?] = Transpose(b) {perm = ints[0, 2, 3, 1]}\n output y";
  const Outcome all = pushed("2, 3, 4, 5", back);
  EXPECT_EQ(all.text, "Transpose Add Add");
  EXPECT_THAT(all.graph, testing::HasSubstr("Transpose(r) {perm = ints [0, 2, 3, 1]}"));
  EXPECT_EQ(pushed("2, 3, 4, 5", "c: f32[?] = MaxPool(a) {kernel_shape = ints[1, 1]}\n output c\n" + back).text,
            "Transpose Add Transpose MaxPool Add")
      << "two instead of three";
  EXPECT_EQ(pushed("2, 3, 4, 5", "output a\n output b").text, "Transpose Transpose Add Add") << "three instead of two";
  EXPECT_EQ(pushed("2, 3, 4, 1", back).text, "Transpose Add Transpose Add") << "r is spread: the sum with it is turned";
}

TEST(turn_products, read_an_operand_instead_of_its_transpose) {
  const auto turned = [](std::string_view product, std::string_view perm, std::string_view more = "") {
    return after("turn_products remove_dead_nodes", formatted(R"(graph "g" {{
      input x: f32[5, 5, 5]
      input w: f32[b, 5, 5]
      input m: f32[5, 5]
      input h: f16[5, 5]
      t: f32[?] = Transpose(x) {{perm = ints[{}]}}
      u: f32[?] = Transpose(m)
      v: f16[?] = Transpose(h)
      y: ? = {}
      output y
      {}
    }})",
                                                              perm, product, more));
  };
  using testing::HasSubstr;
  const auto expect = [&](std::string_view product, std::string_view perm, std::string_view made) {
    const Outcome outcome = turned(product, perm);
    EXPECT_THAT(outcome.graph, HasSubstr(std::string(made))) << outcome.declined;
    EXPECT_EQ(outcome.text, made.starts_with("Gemm") ? "Gemm" : "FusedMatMul");
  };
  expect("MatMul(t, m)", "0, 2, 1", "FusedMatMul(x, m) {transA = 1}");
  expect("MatMul(m, t)", "0, 2, 1", "FusedMatMul(m, x) {transB = 1}");
  expect("MatMul(t, t)", "0, 2, 1", "FusedMatMul(x, x) {transA = 1, transB = 1}");
  expect("MatMul(w, t)", "1, 0, 2", "FusedMatMul(w, x) {transBatchB = 1}");
  expect("MatMul(t, w)", "1, 2, 0", "FusedMatMul(x, w) {transA = 1, transBatchA = 1}");
  expect("com.microsoft.FusedMatMul(t, w) {alpha = 2.0, transA = 1}", "0, 2, 1", "FusedMatMul(x, w) {alpha = 2.0}");
  expect("MatMul(u, u)", "0, 1, 2", "FusedMatMul(m, m) {transA = 1, transB = 1}");
  expect("Gemm(u, m)", "0, 1, 2", "Gemm(m, m) {transA = 1}");
  expect("Gemm(m, u, m) {transB = 1}", "0, 1, 2", "Gemm(m, m, m)");
  expect("Gemm(v, h)", "0, 1, 2", "Gemm(h, h) {transA = 1}");

  const auto keep = [&](std::string_view product, std::string_view perm, std::string_view more, std::string_view why) {
    const Outcome outcome = turned(product, perm, more);
    EXPECT_THAT(outcome.text, testing::StartsWith("Transpose")) << outcome.graph;
    EXPECT_THAT(outcome.declined, HasSubstr(std::string(why)));
  };
  keep("MatMul(t, m)", "0, 2, 1", "output t", "its result is an output");
  keep("MatMul(t, m)", "0, 2, 1", "z: f32[?] = Neg(t)\n output z", "others want the transpose too");
  keep("MatMul(t, m)", "1, 0, 2", "", "it does more than exchange rows and columns");  // m has no batch
  keep("MatMul(t, w)", "2, 0, 1", "", "it does more than exchange rows and columns");
  keep("MatMul(v, h)", "0, 1, 2", "", "only products of float32");
  keep("Gemm(m, m, u)", "0, 1, 2", "", "others want the transpose too");
}

}  // namespace
}  // namespace sdx::passes
