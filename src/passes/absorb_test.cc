// What products, normalizations and convolutions take in: scales, biases, pads.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(absorb_scales, no_weight_overflows_or_vanishes) {
  const auto product = [](std::string_view type, std::string_view weight, std::string_view scale,
                          std::string_view bias) {
    return ops_after("absorb_scales", formatted(R"(graph "g" {{
      input x: {0}[2, 2]
      init w: {0}[2, 2] = {{{1}}}
      init s: {0}[2] = {{{2}}}
      init b: {0}[2] = {{{3}}}
      a: {0}[?] = Gemm(x, w, b)
      y: {0}[?] = Mul(a, s)
      output y
    }})",
                                                type, weight, scale, bias));
  };
  EXPECT_EQ(product("f16", "1, 2, 3, 4", "2, 0.5", "1, 2"), "Gemm");
  EXPECT_EQ(product("f16", "1, 1000, 3, 4", "1, 100", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f16", "1, 0.001, 1, 0", "1, 0.001", "1, 2"), "Gemm Mul") << "a channel of which no digit is left";
  EXPECT_EQ(product("f16", "1, 0.001, 1, 1", "1, 0.001", "1, 2"), "Gemm") << "a weight that counts for nothing";
  EXPECT_EQ(product("f16", "1, 2, 3, 4", "1, 2", "1, 60000"), "Gemm Mul") << "the bias overflows";
  EXPECT_EQ(product("f32", "1, 1e30, 3, 4", "1, 1e10", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f32", "1, 1e-30, 3, 1e-30", "1, 1e-18", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f64", "1, 1e30, 3, 4", "1, 1e10", "1, 2"), "Gemm");
  EXPECT_EQ(product("f32", "1, 2, 3, 4", "1, 0", "1, 2"), "Gemm Mul");
  EXPECT_EQ(product("f32", "1, 2, 3, 4", "1, nan", "1, 2"), "Gemm Mul");
}

TEST(absorb_scales, a_normalization_takes_in_what_is_behind_it) {
  const auto normalized = [](std::string_view form, std::string_view behind) {
    return ops_after("absorb_scales", formatted(R"(graph "g" {{
      input x: f32[1, 2, 3, 3]
      init s: f32[2] = {{1, 2}}
      init b: f32[2] = {{3, 4}}
      init m: f32[2] = {{5, 6}}
      init v: f32[2] = {{7, 8}}
      init c: f32[2, 1, 1] = {{2, 3}}
      init r: f32[3] = {{2, 3, 4}}
      a: f32[?] = BatchNormalization(x, s, b, m, v){}
      {}
      output y
    }})",
                                                form, behind));
  };
  EXPECT_EQ(normalized("", "y: f32[?] = Mul(a, c)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "d: f32[?] = Mul(a, c)\n y: f32[?] = Add(d, c)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "y: f32[?] = BatchNormalization(a, s, b, m, v)"), "BatchNormalization");
  EXPECT_EQ(normalized("", "y: f32[?] = Mul(a, r)"), "BatchNormalization Mul") << "along the last axis";
  EXPECT_EQ(normalized(" {training_mode = 1}", "y: f32[?] = Mul(a, c)"), "BatchNormalization Mul");
}

TEST(absorb_pads, only_zeros_around_the_image) {
  const auto conv = [](std::string_view pads, std::string_view fill, std::string_view attributes) {
    return ops_after("absorb_pads", formatted(R"(graph "g" {{
      input x: f32[1, 1, 4, 4]
      init w: f32[1, 1, 2, 2] = {{1, 2, 3, 4}}
      init pads: i64[8] = {{{}}}
      init fill: f32[] = {{{}}}
      a: f32[?] = Pad(x, pads, fill)
      y: f32[?] = Conv(a, w){}
      output y
    }})",
                                              pads, fill, attributes));
  };
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", ""), "Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", " {pads = ints[1, 1, 1, 1]}"), "Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "1", ""), "Pad Conv");
  EXPECT_EQ(conv("0, 0, -1, 2, 0, 0, 3, 4", "0", ""), "Pad Conv");
  EXPECT_EQ(conv("0, 0, 1, 2, 0, 0, 3, 4", "0", " {auto_pad = \"SAME_UPPER\"}"), "Pad Conv");
}

TEST(fuse_bias, only_one_number_a_column) {
  const auto sum = [](std::string_view bias, std::string_view order) {
    return ops_after("fuse_bias", formatted(R"(graph "g" {{
      input x: f32[n, 2, 3]
      init w: f32[3, 2] = {{1, 2, 3, 4, 5, 6}}
      init b: f32[{}
      a: f32[?] = MatMul(x, w)
      y: f32[?] = Add({})
      output y
    }})",
                                            bias, order));
  };
  EXPECT_EQ(sum("2] = {1, 2}", "a, b"), "BiasMatMul");
  EXPECT_EQ(sum("2] = {1, 2}", "b, a"), "BiasMatMul");
  EXPECT_EQ(sum("1] = {1}", "a, b"), "MatMul Add");
  EXPECT_EQ(sum("2, 1] = {1, 2}", "a, b"), "MatMul Add") << "one number a row";
  EXPECT_EQ(sum("2] = {1, 2}", "a, a"), "MatMul Add");
}

}  // namespace
}  // namespace sdx::passes
