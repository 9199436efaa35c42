// Convolutions over codes with their channels last, and where the channels turn.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

std::string repeated(std::string_view value, int count) {
  std::string made(value);
  for (int i = 1; i < count; ++i) made += formatted(", {}", value);
  return made;
}

std::string over(std::string_view nodes, std::string_view outputs = "output y") {
  return ops_after("channels_last", formatted(R"(graph "g" {{
    input x: u8[1, 4, 8, 8]
    input other: u8[1, 16, 8, 8]
    input line: u8[1, 16, 1, 1]
    input given: i8[16, 4, 1, 1]
    init s: f32[] = {{0.5}}
    init t: f32[] = {{0.25}}
    init z: u8[] = {{128}}
    init wz: i8[] = {{0}}
    init w: i8[16, 4, 1, 1] = {{{}}}
    init square: i8[16, 16, 1, 1] = {{{}}}
    init each: i8[16, 1, 1, 1] = {{{}}}
    init pairs: i8[4, 2, 1, 1] = {{{}}}
    {}
    {}
  }})",
                                              repeated("1", 64), repeated("1", 256), repeated("1", 16),
                                              repeated("1", 8), nodes, outputs));
}
constexpr std::string_view kConv = "a: u8[?] = QLinearConv(x, s, z, w, s, wz, s, z)";

TEST(channels_last, a_convolution_turns_its_input_and_its_output) {
  EXPECT_EQ(over("y: u8[?] = QLinearConv(x, s, z, w, s, wz, s, z)"), "Transpose QLinearConv Transpose");
}

TEST(channels_last, what_is_between_convolutions_goes_along) {
  const auto between = [](std::string_view node) {
    return over(formatted("{}\n {}\n y: u8[?] = QLinearConv(b, s, z, square, s, wz, s, z)", kConv, node));
  };
  EXPECT_EQ(between("b: u8[?] = com.microsoft.QLinearAdd(a, s, z, a, s, z, s, z)"),
            "Transpose QLinearConv QLinearAdd QLinearConv Transpose");
  EXPECT_EQ(between("b: u8[?] = com.microsoft.QLinearSigmoid(a, s, z, s, z)"),
            "Transpose QLinearConv QLinearSigmoid QLinearConv Transpose");
  EXPECT_EQ(between("b: u8[?] = com.microsoft.QLinearGlobalAveragePool(a, s, z, s, z)"),
            "Transpose QLinearConv QLinearGlobalAveragePool QLinearConv Transpose");
  EXPECT_EQ(between("b: u8[?] = MaxPool(a) {kernel_shape = ints[3, 3], pads = ints[1, 1, 0, 0]}"),
            "Transpose QLinearConv Unsqueeze MaxPool Squeeze QLinearConv Transpose");
  EXPECT_EQ(between("b: u8[?] = QLinearConv(a, s, z, each, s, wz, s, z) {group = 16}"),
            "Transpose QLinearConv QLinearConv QLinearConv Transpose");
  EXPECT_EQ(between("b: u8[?] = com.microsoft.QLinearAdd(a, s, z, other, s, z, s, z)"),
            "Transpose Transpose QLinearConvAdd QLinearConv Transpose")
      << "what comes from elsewhere is turned";
}

TEST(channels_last, a_sum_is_made_where_the_codes_are) {
  const auto added = [](std::string_view scales) {
    return over(formatted("{}\n y: u8[?] = com.microsoft.QLinearAdd({}, s, z)", kConv, scales));
  };
  EXPECT_EQ(added("a, s, z, other, s, z"), "Transpose Transpose QLinearConvAdd Transpose");
  EXPECT_EQ(added("other, s, z, a, s, z"), "Transpose Transpose QLinearConvAdd Transpose");
  EXPECT_EQ(added("a, t, z, other, s, z"), "Transpose QLinearConv Transpose QLinearAdd Transpose") << "another scale";
}

TEST(channels_last, parts_are_joined) {
  EXPECT_EQ(over(formatted("{}\n y: u8[?] = Concat(a, other) {{axis = 1}}", kConv)),
            "Transpose QLinearConv Transpose Concat Transpose");
  EXPECT_EQ(over(formatted("{}\n y: u8[?] = com.microsoft.QLinearConcat(s, z, a, s, z, a, s, z) {{axis = -3}}", kConv)),
            "Transpose QLinearConv QLinearConcat Transpose");
}

// A dynamic quantization, its convolution, and the way back to floats.
std::string dynamic(std::string_view nodes, std::string_view tail = "") {
  constexpr std::string_view kTail =
      "c: i32[?] = Add(b, bias)\n f: f32[?] = Cast(c) {to = 1}\n scale: f32[?] = Mul(s, t)\n"
      "g: f32[?] = Mul(f, scale)";
  return ops_after("channels_last", formatted(R"(graph "g" {{
    input x: f32[1, 4, 8, 8]
    init t: f32[] = {{0.25}}
    init wz: u8[] = {{3}}
    init w: u8[16, 4, 1, 1] = {{{}}}
    init bias: i32[1, 16, 1, 1] = {{{}}}
    init image: i32[1, 1, 8, 1] = {{{}}}
    q: u8[?], s: f32[?], z: u8[?] = DynamicQuantizeLinear(x)
    b: i32[?] = ConvInteger(q, w, z, wz)
    {}
    {}
    output y
  }})",
                                              repeated("1", 64), repeated("1", 16), repeated("1", 8),
                                              tail.empty() ? kTail : tail, nodes));
}

TEST(channels_last, sums_become_floats) {
  constexpr std::string_view kHead = "DynamicQuantizeLinear Reshape Transpose Mul ConvIntegerToFloat ";
  EXPECT_EQ(dynamic("y: f32[?] = Exp(g)"), formatted("{}Transpose Exp", kHead));
  EXPECT_EQ(dynamic("h: f32[?] = Sigmoid(g)\n y: f32[?] = Mul(g, h)"), formatted("{}Sigmoid Mul Transpose", kHead));
  EXPECT_EQ(dynamic("y: u8[?], sy: f32[?], zy: u8[?] = DynamicQuantizeLinear(g)\n output sy\n output zy"),
            formatted("{}DynamicQuantizeLinear Transpose", kHead));
}

TEST(channels_last, sums_that_are_wanted_stay) {
  EXPECT_EQ(dynamic("y: f32[?] = Exp(f)", "f: f32[?] = Cast(b) {to = 1}"),
            "DynamicQuantizeLinear ConvInteger Cast Exp");
  EXPECT_EQ(dynamic("y: f32[?] = Mul(f, s)", "c: i32[?] = Add(b, image)\n f: f32[?] = Cast(c) {to = 1}"),
            "DynamicQuantizeLinear ConvInteger Add Cast Mul");
}

TEST(channels_last, others_stay) {
  EXPECT_EQ(over("y: u8[?] = com.microsoft.QLinearAdd(other, s, z, other, s, z, s, z)"), "QLinearAdd")
      << "no convolution";
  EXPECT_EQ(over("y: u8[?] = QLinearConv(x, s, z, given, s, wz, s, z)"), "QLinearConv") << "an input for a weight";
  EXPECT_EQ(over("y: u8[?] = QLinearConv(x, s, z, pairs, s, wz, s, z) {group = 2}"), "QLinearConv")
      << "few filters a group";
  EXPECT_EQ(over(formatted("{}\n y: u8[?] = com.microsoft.QLinearMul(a, s, z, line, s, z, s, z)", kConv)),
            "Transpose QLinearConv Transpose QLinearMul")
      << "broadcasting";
}

}  // namespace
}  // namespace sdx::passes
