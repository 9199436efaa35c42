// Normalisations in pieces: those of shorter floats, and sums in front.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

// The factor behind a normalisation in float32 of x, which is float16.
std::string root_norm_of_half(std::string_view scale, std::string_view end, std::string_view more = "") {
  return ops_after("fuse_normalization", formatted(R"(graph "g" {{
    input x: f16[2, 3]
    init axes: i64[1] = {{-1}}
    init two: f32[] = {{2}}
    init e: f32[] = {{1e-5}}
    init w: {} = {{1, 2, 3}}
    c: ? = Cast(x) {{to = 1}}
    p: ? = Pow(c, two)
    m: ? = ReduceMean(p, axes)
    a: ? = Add(m, e)
    r: ? = Sqrt(a)
    n: ? = Div(c, r)
    {}
    output y
    {}
  }})",
                                                   scale, end, more));
}

TEST(fuse_normalization, float16_in_float32) {
  constexpr std::string_view kEnd = "h: ? = Cast(n) {to = 10}\n y: ? = Mul(w, h)";
  EXPECT_EQ(root_norm_of_half("f16[3]", kEnd), "SimplifiedLayerNormalization");
  EXPECT_EQ(root_norm_of_half("f16[3]", kEnd, "output c"), "Cast SimplifiedLayerNormalization");
  EXPECT_EQ(root_norm_of_half("f32[3]", "k: ? = Mul(w, n)\n y: ? = Cast(k) {to = 10}"),
            "Cast SimplifiedLayerNormalization Cast");
  EXPECT_EQ(ops_after("fuse_normalization", R"(graph "g" {
    input x: f32[2, 3]
    init axes: i64[1] = {-1}
    init two: f32[] = {2}
    init e: f32[] = {1e-5}
    init w: f16[3] = {1, 2, 3}
    p: ? = Pow(x, two)
    m: ? = ReduceMean(p, axes)
    a: ? = Add(m, e)
    r: ? = Sqrt(a)
    n: ? = Div(x, r)
    h: ? = Cast(n) {to = 10}
    y: ? = Mul(h, w)
    output y
  })"),
            "SimplifiedLayerNormalization Cast");
  EXPECT_EQ(root_norm_of_half("f16[3]", kEnd, "output h"), "Cast Pow ReduceMean Add Sqrt Div Cast Mul");
}

std::string summed(std::string_view type, std::string_view skip, std::string_view order = "x, z") {
  return ops_after("fuse_normalization", formatted(R"(graph "g" {{
    input x: {0}[b, s, 2]
    {1}
    init w: {0}[2] = {{1, 2}}
    a: ? = Add({2})
    y: ? = LayerNormalization(a, w)
    output y
  }})",
                                                   type, skip, order));
}

TEST(fuse_normalization, sums_with_what_the_batch_shares) {
  constexpr std::string_view kOne = "SkipLayerNormalization", kTwo = "Add LayerNormalization";
  EXPECT_EQ(summed("f32", "input z: f32[b, s, 2]"), kOne);
  EXPECT_EQ(summed("f32", "input z: f32[1, s, 2]"), kOne);
  EXPECT_EQ(summed("f32", "input z: f32[1, s, 2]", "z, x"), kOne);
  EXPECT_EQ(summed("f32", "input z: f32[s, 2]"), kOne);
  EXPECT_EQ(summed("f16", "input z: f16[b, s, 2]"), kOne);
  EXPECT_EQ(summed("f32", "input z: f32[b, 1, 2]"), kTwo);
  EXPECT_EQ(summed("f32", "input z: f32[2]"), kTwo) << "a bias, which a product takes";
  EXPECT_EQ(summed("f64", "input z: f64[b, s, 2]"), kTwo);
}

}  // namespace
}  // namespace sdx::passes
