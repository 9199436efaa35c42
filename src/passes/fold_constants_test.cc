// What is known is computed once, when the model is loaded; what is not stays.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(fold_constants, computes_chains_of_known_values) {
  EXPECT_EQ(ops_after("fold_constants", R"(graph "g" {
    input x: f32[2]
    init w: f32[2] = {1, 2}
    a: f32[?] = Mul(w, w)
    b: f32[?] = Exp(a)
    y: f32[?] = Add(x, b)
    output y
  })"),
            "Add");
}

TEST(fold_constants, knows_the_elements_of_shapes) {
  EXPECT_EQ(ops_after("fold_constants", R"(graph "g" {
    input x: f32[2, n, 3]
    s: i64[?] = Shape(x) {start = 2}
    t: i64[?] = Shape(x)
    y: f32[?] = Expand(x, s)
    z: f32[?] = Expand(x, t)
    output y
    output z
  })"),
            "Shape Expand Expand");
}

TEST(fold_constants, keeps_what_a_caller_may_change_or_asks_for) {
  EXPECT_EQ(after("fold_constants", R"(graph "g" {
    input w: f32[2] = {1, 2}
    init v: f32[2] = {1, 2}
    a: f32[?] = Exp(w)
    b: f32[?] = Exp(v)
    output a
    output b
  })")
                .rewrites,
            0u)
      << "an initializer that is an input, and a graph output";
}

TEST(fold_constants, fills_weights_that_only_products_take) {
  const auto filled = [](std::string_view users) {
    return ops_after("fold_constants", formatted(R"(graph "g" {{
      input x: f32[2, 1024]
      init s: i64[2] = {{1024, 1024}}
      w: f32[?] = ConstantOfShape(s)
      {}
    }})",
                                                 users));
  };
  EXPECT_EQ(filled("y: f32[?] = MatMul(x, w)\n output y"), "MatMul");
  EXPECT_EQ(filled("y: f32[?] = Gemm(x, w) {transB = 1}\n output y"), "Gemm");
  EXPECT_EQ(filled("y: f32[?] = MatMul(w, w)\n output y"), "ConstantOfShape MatMul");
  EXPECT_EQ(filled("y: f32[?] = MatMul(x, w)\n z: f32[?] = Exp(w)\n output y\n output z"),
            "ConstantOfShape MatMul Exp");
}

TEST(fold_constants, keeps_random_numbers_and_what_would_grow) {
  EXPECT_EQ(after("fold_constants", R"(graph "g" {
    init s: i64[2] = {2048, 2048}
    a: f32[?] = RandomNormal() {shape = ints[2]}
    b: f32[?] = ConstantOfShape(s)
    y: f32[?] = Exp(a)
    z: f32[?] = Exp(b)
    output y
    output z
  })")
                .rewrites,
            0u);
}

}  // namespace
}  // namespace sdx::passes
