// Functions that are spelled out: activations and normalization.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(fuse_hard_swish, in_the_forms_of_exporters) {
  const auto swish = [](std::string_view three, std::string_view six, std::string_view body) {
    return ops_after("fuse_hard_swish", formatted(R"(graph "g" {{
      input x: f32[2]
      init three: f32[] = {{{}}}
      init zero: f32[] = {{0}}
      init six: f32[] = {{{}}}
      init sixth: f32[] = {{0.16666667}}
      a: f32[?] = Add(x, three)
      c: f32[?] = Clip(a, zero, six)
      {}
      output y
    }})",
                                                  three, six, body));
  };
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Mul(c, x)\n y: f32[?] = Mul(sixth, m)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Div(c, six)\n y: f32[?] = Mul(m, x)"), "HardSwish");
  EXPECT_EQ(swish("3", "6", "m: f32[?] = Div(c, six)\n y: f32[?] = Mul(m, x)\n output c"), "Add Clip Div Mul");
  EXPECT_EQ(swish("3", "5", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "Add Clip Mul Div");
  EXPECT_EQ(swish("2", "6", "m: f32[?] = Mul(x, c)\n y: f32[?] = Div(m, six)"), "Add Clip Mul Div");
  EXPECT_EQ(swish("3", "6", "y: f32[?] = Div(c, six)"), "Add Clip Div") << "a HardSigmoid";
}

TEST(fuse_gelu, only_with_its_own_numbers) {
  const auto gelu = [](std::string_view type, std::string_view root, std::string_view exponent, std::string_view half) {
    return ops_after("fuse_gelu", formatted(R"(graph "g" {{
      input x: {0}[2]
      init r: {0}[] = {{{1}}}
      init k: {0}[] = {{0.044715}}
      init e: {0}[] = {{{2}}}
      init one: {0}[] = {{1}}
      init half: {0}[] = {{{3}}}
      a: {0}[?] = Pow(x, e)
      b: {0}[?] = Mul(a, k)
      c: {0}[?] = Add(x, b)
      d: {0}[?] = Mul(c, r)
      t: {0}[?] = Tanh(d)
      p: {0}[?] = Add(t, one)
      m: {0}[?] = Mul(x, p)
      y: {0}[?] = Mul(m, half)
      output y
    }})",
                                            type, root, exponent, half));
  };
  const std::string left = "Pow Mul Add Mul Tanh Add Mul Mul";
  EXPECT_EQ(gelu("f32", "0.797885", "3", "0.5"), "FastGelu") << "six digits, as exporters print them";
  EXPECT_EQ(gelu("f16", "0.797885", "3", "0.5"), "FastGelu");
  EXPECT_EQ(gelu("f64", "0.7978845608028654", "3", "0.5"), "FastGelu");
  EXPECT_EQ(gelu("f64", "0.797884583473206", "3", "0.5"), left) << "a float's digits";
  EXPECT_EQ(gelu("f32", "0.7979", "3", "0.5"), left);
  EXPECT_EQ(gelu("f32", "0.797885", "3.0002", "0.5"), left) << "a power that has no negative numbers";
  EXPECT_EQ(gelu("f32", "0.797885", "3", "0.50001"), left);
}

TEST(fuse_normalization, only_with_an_epsilon_that_the_attribute_can_say) {
  const auto norm = [](std::string_view type, std::string_view epsilon) {
    return ops_after("fuse_normalization", formatted(R"(graph "g" {{
      input x: {0}[2, 3]
      init axes: i64[1] = {{-1}}
      init two: {0}[] = {{2}}
      init e: {0}[] = {{{1}}}
      init w: {0}[3] = {{1, 2, 3}}
      a: {0}[?] = Pow(x, two)
      b: {0}[?] = ReduceMean(a, axes)
      c: {0}[?] = Add(b, e)
      d: {0}[?] = Sqrt(c)
      n: {0}[?] = Div(x, d)
      y: {0}[?] = Mul(n, w)
      output y
    }})",
                                                     type, epsilon));
  };
  EXPECT_EQ(norm("f32", "1e-5"), "SimplifiedLayerNormalization");
  EXPECT_EQ(norm("f64", "0.125"), "SimplifiedLayerNormalization");
  EXPECT_EQ(norm("f64", "1e-5"), "Pow ReduceMean Add Sqrt Div Mul");
}

TEST(fuse_activations, bounds_that_are_not_there_let_infinity_through) {
  const auto clip = [](std::string_view bounds, std::string_view before) {
    return after("fuse_activations", formatted(R"(graph "g" {{
      input x: f32[1, 1]
      input z: f32[1, 1, 3]
      init w: f32[1, 1] = {{2}}
      init v: f32[1, 1, 1] = {{2}}
      init low: f32[] = {{0}}
      init high: f32[] = {{6}}
      a: f32[?] = {}
      y: f32[?] = Clip(a{})
      output y
    }})",
                                               before, bounds));
  };
  EXPECT_THAT(clip("", "Conv(z, v)").graph, testing::HasSubstr("[-inf, inf]"));
  EXPECT_THAT(clip(", low", "Conv(z, v)").graph, testing::HasSubstr("[0.0, inf]"));
  EXPECT_THAT(clip(", _, high", "Conv(z, v)").graph, testing::HasSubstr("[-inf, 6.0]"));
  EXPECT_EQ(clip(", low", "Gemm(x, w)").text, "Gemm Clip") << "onnxruntime could not load a FusedGemm with Clip";
}

}  // namespace
}  // namespace sdx::passes
