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

TEST(narrow_weights, keeps_halves_that_were_only_widened_and_scaled_by_channel) {
  const auto many = [](int count, std::string_view number) {
    std::string list(number);
    for (int i = 1; i < count; ++i) list += formatted(", {}", number);
    return list;
  };
  struct Found {
    size_t narrowed;
    bool has_factor;
  };
  const auto with = [&](std::string_view scaled, std::string_view type = "f16", int inputs = 64) {
    const std::string text =
        formatted(R"(graph "g" {{
    input x: {}[1, 3, 40, 40]
    init u: {}[{}, 3, 3, 3] = {{{}}}
    init w: {}[512, {}, 1, 1] = {{{}}}
    init v: {}[16, 512, 1, 1] = {{{}}}
    init by: {}[512, 1, 1] = {{{}}}
    init across: {}[38, 38] = {{{}}}
    u0: {}[?] = Conv(x, u)
    a: {}[?] = Conv(u0, w)
    b: {}[?] = {}
    y: {}[?] = Conv(b, v)
    output y
  }})",
                  type, type, inputs, many(inputs * 27, "1"), type, inputs, many(512 * inputs, "2"), type,
                  many(16 * 512, "1"), type, many(512, "3"), type, many(38 * 38, "3"), type, type, type, scaled, type);
    constexpr std::string_view kBefore = "absorb_scales widen_halves block_layout fuse_blocked";
    const Outcome before = after(kBefore, text), made = after(formatted("{} narrow_weights", kBefore), text);
    EXPECT_EQ(made.text, before.text);
    return Found{made.rewrites - before.rewrites, made.graph.find("_factor") != std::string::npos};
  };
  EXPECT_EQ(with("Relu(a)").narrowed, 1u) << "the others are small: they are floats already";
  EXPECT_FALSE(with("Relu(a)").has_factor);
  EXPECT_EQ(with("Mul(a, by)").narrowed, 1u);
  EXPECT_TRUE(with("Mul(a, by)").has_factor);
  EXPECT_FALSE(with("Mul(a, across)").has_factor);
  EXPECT_EQ(with("Relu(a)", "f32").narrowed, 0u);
  EXPECT_EQ(with("Mul(a, by)", "f32").narrowed, 0u);
  EXPECT_EQ(with("Relu(a)", "f16", 16).narrowed, 0u);
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
