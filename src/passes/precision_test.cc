// In which type products and what is between them are computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "ops/linalg/gemm_bf16.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(round_products, only_products_by_constant_matrices) {
  const auto rounded = [](std::string_view product) {
    return after("round_products", formatted(R"(graph "g" {{
      input x: f32[n, 3]
      input z: f32[3, 2]
      init w: f32[3, 2] = {{1, 2, 3, 4, 5, 6}}
      init column: f32[3, 1] = {{1, 2, 3}}
      init b: f32[2] = {{1, 2}}
      init c: f32[1, 2] = {{1, 2}}
      y: f32[?] = {}
      output y
    }})",
                                             product));
  };
  const std::string_view made = ops::has_bf16_products() ? "BiasMatMul" : "";
  const auto ops_of = [&](std::string_view product) { return rounded(product).text; };
  EXPECT_EQ(ops_of("MatMul(x, w)"), made.empty() ? "MatMul" : made);
  EXPECT_EQ(ops_of("Gemm(x, w, b)"), made.empty() ? "Gemm" : made);
  EXPECT_EQ(rounded("MatMul(x, w)").declined.empty(), !made.empty());
  EXPECT_EQ(ops_of("Gemm(x, w, c)"), "Gemm");
  EXPECT_EQ(ops_of("Gemm(x, w, b) {alpha = 2.0}"), "Gemm");
  EXPECT_EQ(ops_of("MatMul(x, z)"), "MatMul");
  EXPECT_EQ(ops_of("MatMul(x, column)"), "MatMul");
}

TEST(widen_halves, computes_in_float32_from_one_product_to_the_next) {
  const auto with = [](std::string_view op) {
    return ops_after("widen_halves", formatted(R"(graph "g" {{
    input x: f16[1, 2, 4]
    init w: f16[2, 2, 1] = {{1, 2, 3, 4}}
    a: f16[?] = {}
    b: f16[?] = Relu(a)
    y: f16[?] = Add(b, x)
    output y
  }})",
                                               op));
  };
  EXPECT_EQ(with("Conv(x, w)"), "Cast Conv Relu Cast Add Cast");
  EXPECT_EQ(with("Identity(x)"), "Identity Relu Add") << "nothing multiplies matrices";
}

TEST(widen_halves, gives_a_cast_to_float32_what_was_not_rounded) {
  const auto with = [](std::string_view more) {
    return after("widen_halves", formatted(R"(graph "g" {{
    input x: f32[1, 2, 4]
    init w: f16[2, 2, 1] = {{1, 2, 3, 4}}
    h: f16[?] = Cast(x) {{to = 10}}
    a: f16[?] = Conv(h, w)
    y: f32[?] = Cast(a) {{to = 1}}
    z: f32[?] = Cast(h) {{to = 1}}
    output y
    {}
  }})",
                                           more));
  };
  EXPECT_EQ(with("").text, "Cast Cast Cast Conv") << "the model's own rounding stays";
  EXPECT_THAT(with("").graph, testing::HasSubstr("y: f32[1, 2, 4] = Conv(")) << "and the name of the output";
  EXPECT_EQ(with("output a").text, "Cast Cast Cast Conv Cast") << "float16 is an output too";
  EXPECT_EQ(with("output z").text, "Cast Cast Cast Conv") << "of what no product made";
}

}  // namespace
}  // namespace sdx::passes
