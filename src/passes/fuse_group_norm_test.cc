// Group normalisation in pieces: which become one node, and which nearly do. Values are compared in
// tests/passes/forms.py and tests/exporters.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

struct Pieces {
  std::string_view input = "f32[n, 6, h, w]", apart = "{0, 3, -1}", factors = "{1, 1, 1}", shifts = "{0, 0, 0}";
  std::string_view scale = "f32[6, 1, 1] = {1, 2, 3, 4, 5, 6}";
  std::string_view end = "m: ? = Mul(b, scale)\n y: ? = Add(m, shift)";
  std::string_view more = "";
};

Outcome normalised(const Pieces& p, std::string_view passes = "fuse_group_norm") {
  return after(passes, formatted(R"(graph "g" {{
    input x: {}
    init apart: i64[3] = {}
    init ones: f32[3] = {}
    init zeros: f32[3] = {}
    init scale: {}
    init shift: f32[6, 1, 1] = {{6, 5, 4, 3, 2, 1}}
    r: ? = Reshape(x, apart)
    i: ? = InstanceNormalization(r, ones, zeros) {{epsilon = 0.001}}
    s: ? = Shape(x)
    b: ? = Reshape(i, s)
    {}
    output y
    {}
  }})",
                                 p.input, p.apart, p.factors, p.shifts, p.scale, p.end, p.more));
}

TEST(fuse_group_norm, as_torch_writes_it) {
  constexpr std::string_view kOne = "GroupNormalization";
  const Outcome one = normalised({});
  EXPECT_EQ(one.text, kOne);
  EXPECT_NE(one.graph.find("num_groups = 3"), std::string::npos) << one.graph;
  EXPECT_NE(one.graph.find("epsilon = 0.001"), std::string::npos) << one.graph;
  EXPECT_EQ(normalised({.end = "m: ? = Mul(scale, b)\n y: ? = Add(shift, m)"}).text, kOne);
  EXPECT_EQ(normalised({.scale = "f32[1, 6, 1, 1] = {1, 2, 3, 4, 5, 6}"}).text, kOne);
  EXPECT_EQ(normalised({.more = "output r"}).text, "Reshape GroupNormalization");
}

TEST(fuse_group_norm, what_is_nearly_one) {
  const auto is_kept = [](const Pieces& pieces) {
    return normalised(pieces).text.find("InstanceNormalization") != std::string::npos;
  };
  EXPECT_TRUE(is_kept({.factors = "{1, 2, 1}"})) << "a factor of a group";
  EXPECT_TRUE(is_kept({.shifts = "{0, 0, 1}"}));
  EXPECT_TRUE(is_kept({.input = "f32[n, 6, h, 6]", .scale = "f32[1, 1, 6] = {1, 2, 3, 4, 5, 6}"})) << "along columns";
  EXPECT_TRUE(is_kept({.input = "f32[n, c, h, w]"})) << "the channels are not known";
  EXPECT_TRUE(is_kept({.input = "f32[4, 6, 2, 2]", .apart = "{2, 3, -1}"})) << "groups of two of the batch";
  EXPECT_TRUE(is_kept({.end = "y: ? = Mul(b, scale)"}));
  EXPECT_TRUE(is_kept({.more = "output m"})) << "what is without the shift is wanted, too";
  EXPECT_TRUE(is_kept({.more = "output i"}));
}

TEST(activate_norms, what_is_behind_it) {
  constexpr std::string_view kBoth = "fuse_group_norm activate_norms";
  constexpr std::string_view kNorm = "m: ? = Mul(b, scale)\n a: ? = Add(m, shift)\n ";
  const std::string swish = formatted("{}y: ? = Swish(a)", kNorm), sine = formatted("{}y: ? = Sin(a)", kNorm);
  EXPECT_EQ(normalised({.end = swish}, kBoth).text, "ActivatedGroupNormalization");
  EXPECT_EQ(normalised({.end = swish, .more = "output a"}, kBoth).text, "GroupNormalization Swish");
  EXPECT_EQ(normalised({.end = sine}, kBoth).text, "GroupNormalization Sin");
}

}  // namespace
}  // namespace sdx::passes
