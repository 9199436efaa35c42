// Rewrites of quantized models, and what must stay as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

// "3*1" is "1, 1, 1".
std::string filled(std::string_view text) {
  std::string made;
  for (size_t i = 0; i < text.size();) {
    size_t star = i;
    while (star < text.size() && text[star] >= '0' && text[star] <= '9') ++star;
    if (star == i || star == text.size() || text[star] != '*') {
      made += text[i++];
      continue;
    }
    const size_t end = text.find_first_of("}", star);
    const std::string_view value = text.substr(star + 1, end - star - 1);
    for (int n = std::stoi(std::string(text.substr(i, star - i))); n > 0; --n) {
      made += value;
      if (n > 1) made += ", ";
    }
    i = end;
  }
  return made;
}

std::string ops_after(std::string_view passes, std::string_view text) {
  return sdx::passes::ops_after(passes, filled(text));
}

std::string product_tail(std::string_view factor, std::string_view more, std::string_view outputs = "y") {
  return ops_after("fuse_integer_products", formatted(R"(graph "g" {{
    input x: f32[2, 3, 4]
    init b: i8[4, 5] = {{20*1}}
    init zero: i8[] = {{2}}
    init scale: f32[5] = {{5*0.5}}
    init one: f32[] = {{0.5}}
    init bias: f32[5] = {{5*1}}
    init image: f32[2, 3, 5] = {{30*1}}
    q: u8[?], s: f32[?], z: u8[?] = DynamicQuantizeLinear(x)
    sums: i32[?] = MatMulInteger(q, b, z, zero)
    floats: f32[?] = Cast(sums) {{to = 1}}
    {}
    m: f32[?] = Mul(floats, f)
    {}
    output {}
  }})",
                                                      factor, more, outputs));
}

TEST(fuse_integer_products, takes_the_scales_and_the_bias) {
  constexpr std::string_view kFactor = "f: f32[?] = Mul(s, scale)", kBias = "y: f32[?] = Add(bias, m)";
  EXPECT_EQ(product_tail(kFactor, kBias), "DynamicQuantizeMatMul");
  EXPECT_EQ(product_tail("f: f32[?] = Mul(one, s)", kBias), "DynamicQuantizeMatMul");
  EXPECT_EQ(product_tail(kFactor, "y: f32[?] = Add(m, image)"), "DynamicQuantizeMatMul Add");
  EXPECT_EQ(product_tail(kFactor, "y: f32[?] = Relu(m)\n other: f32[?] = Neg(m)", "y\n output other"),
            "DynamicQuantizeMatMul Relu Neg");
  EXPECT_EQ(product_tail(kFactor, "y: f32[?] = Add(m, bias)\n other: f32[?] = Neg(s)", "y\n output other"),
            "DynamicQuantizeLinear MatMulIntegerToFloat Neg")
      << "the scale has another use";
}

TEST(fuse_integer_products, leaves_what_is_wanted_or_is_no_scale) {
  constexpr std::string_view kFactor = "f: f32[?] = Mul(s, scale)", kBias = "y: f32[?] = Add(bias, m)";
  constexpr std::string_view kAll = "DynamicQuantizeLinear MatMulInteger Cast Mul Mul Add";
  EXPECT_EQ(product_tail(kFactor, kBias, "y\n output sums"), kAll) << "the sums are wanted";
  EXPECT_EQ(product_tail(kFactor, kBias, "y\n output floats"), kAll);
  EXPECT_EQ(product_tail("f: f32[?] = Mul(scale, scale)", kBias), kAll) << "no scale of the whole input";
  EXPECT_EQ(product_tail("f: f32[?] = Add(s, scale)", kBias), "DynamicQuantizeLinear MatMulInteger Cast Add Mul Add");
}

// Two quantized inputs, a node between them, and the quantization of what it makes.
std::string between(std::string_view node, std::string_view more = "", std::string_view outputs = "q") {
  return ops_after("fuse_quantized_products fuse_quantized_maps", formatted(R"(graph "g" {{
    input a: u8[1, 4, 6, 6]
    input b: u8[1, 4, 6, 6]
    init s: f32[] = {{0.5}}
    init t: f32[] = {{0.25}}
    init z: u8[] = {{128}}
    init w: i8[8, 4, 3, 3] = {{288*1}}
    init ws: f32[8] = {{8*0.5}}
    init wz: i8[8] = {{8*0}}
    init bias: i32[8] = {{8*3}}
    init bs: f32[8] = {{8*0.25}}
    init wrong: f32[8] = {{8*0.5}}
    init bz: i32[8] = {{8*0}}
    fa: f32[?] = DequantizeLinear(a, s, z)
    fb: f32[?] = DequantizeLinear(b, s, z)
    fw: f32[?] = DequantizeLinear(w, ws, wz) {{axis = 0}}
    along: f32[?] = DequantizeLinear(w, s)
    fc: f32[?] = DequantizeLinear(bias, bs, bz) {{axis = 0}}
    fd: f32[?] = DequantizeLinear(bias, wrong, bz) {{axis = 0}}
    {}
    q: u8[?] = QuantizeLinear(y, t, z)
    {}
    output {}
  }})",
                                                                            node, more, outputs));
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(fuse_quantized_products, a_convolution_between_quantizations) {
  const auto made = [](std::string_view node) { return contains(between(node), "QLinearConv"); };
  EXPECT_TRUE(made("y: f32[?] = Conv(fa, fw)"));
  EXPECT_TRUE(made("y: f32[?] = Conv(fa, along)"));
  EXPECT_TRUE(made("y: f32[?] = Conv(fa, fw, fc)"));
  EXPECT_FALSE(made("y: f32[?] = Conv(fa, fw, fd)")) << "another scale of the bias";
  EXPECT_FALSE(made("p: f32[?] = Conv(fa, fw)\n y: f32[?] = Exp(p)")) << "not quantized itself";
  EXPECT_FALSE(contains(between("y: f32[?] = Conv(fa, fw)", "o: f32[?] = Neg(y)", "q\n output o"), "QLinearConv"))
      << "the floats are wanted too";
}

TEST(fuse_quantized_products, products_of_matrices) {
  const auto made = [](std::string_view node, std::string_view quantized) {
    return ops_after("fuse_quantized_products", formatted(R"(graph "g" {{
      input a: u8[3, 4]
      init s: f32[] = {{0.5}}
      init w: i8[4, 5] = {{20*1}}
      init columns: f32[5] = {{5*0.5}}
      init rows: f32[4] = {{4*0.5}}
      init bias: i32[5] = {{5*3}}
      init bs: f32[5] = {{5*0.25}}
      x: f32[?] = DequantizeLinear(a, s)
      fw: f32[?] = DequantizeLinear(w, columns) {{axis = 1}}
      turned: f32[?] = DequantizeLinear(w, rows) {{axis = 0}}
      fc: f32[?] = DequantizeLinear(bias, bs) {{axis = 0}}
      p: f32[?] = {}
      {}
      output y
    }})",
                                                          node, quantized));
  };
  constexpr std::string_view kQuantized = "y: u8[?] = QuantizeLinear(p, s)", kFloats = "y: f32[?] = Neg(p)";
  EXPECT_TRUE(contains(made("MatMul(x, fw)", kQuantized), "QLinearMatMul"));
  EXPECT_TRUE(contains(made("MatMul(x, fw)", kFloats), "MatMulIntegerToFloat Neg"));
  EXPECT_FALSE(contains(made("MatMul(x, turned)", kFloats), "MatMulInteger")) << "scales along the depth";
  EXPECT_TRUE(contains(made("Gemm(x, fw, fc)", kQuantized), "QGemm"));
  EXPECT_TRUE(contains(made("Gemm(x, fw, fc)", kFloats), "QGemm Neg"));
  EXPECT_FALSE(contains(made("Gemm(x, fw, fc) {alpha = 2.0}", kFloats), "QGemm"));
}

TEST(fuse_quantized_maps, works_on_codes) {
  const auto made = [](std::string_view node, std::string_view op) { return contains(between(node), op); };
  EXPECT_TRUE(made("y: f32[?] = Add(fa, fb)", "QLinearAdd"));
  EXPECT_TRUE(made("y: f32[?] = Mul(fa, fb)", "QLinearMul"));
  EXPECT_TRUE(made("y: f32[?] = Sigmoid(fa)", "QLinearSigmoid"));
  EXPECT_TRUE(made("y: f32[?] = GlobalAveragePool(fa)", "QLinearGlobalAveragePool"));
  EXPECT_TRUE(made("y: f32[?] = Concat(fa, fb) {axis = 1}", "QLinearConcat"));
}

TEST(fuse_quantized_maps, drops_pairs_and_moves_codes) {
  const auto made = [](std::string_view node, std::string_view zero) {
    return ops_after("fuse_quantized_maps", formatted(R"(graph "g" {{
      input a: u8[1, 4, 6, 6]
      init s: f32[] = {{0.5}}
      init z: u8[] = {{128}}
      init other: u8[] = {{127}}
      x: f32[?] = DequantizeLinear(a, s, z)
      {}
      q: u8[?] = QuantizeLinear(y, s, {})
      o: u8[?] = Add(q, q)
      output o
    }})",
                                                      node, zero));
  };
  EXPECT_EQ(made("y: f32[?] = MaxPool(x) {kernel_shape = ints[2, 2]}", "z"), "MaxPool Add");
  EXPECT_EQ(made("y: f32[?] = Transpose(x)", "z"), "Transpose Add");
  EXPECT_EQ(made("y: f32[?] = Transpose(x)", "other"), "DequantizeLinear Transpose QuantizeLinear Add");
  EXPECT_EQ(made("y: f32[?] = Relu(x)", "z"), "DequantizeLinear Relu QuantizeLinear Add");
}

// The product of x [3, 40], and a bias behind it.
std::string by_blocks(std::string_view weight, std::string_view product) {
  return ops_after("fuse_nbits", formatted(R"(graph "g" {{
    input x: f32[3, 40]
    input given: i4[40, 3]
    init w: i4[40, 3] = {{120*1}}
    init u: u8[3, 40] = {{120*1}}
    init s: f32[3, 3] = {{9*0.5}}
    init z: i4[3, 3] = {{9*1}}
    init uz: u8[3, 3] = {{9*1}}
    init five: f32[8, 3] = {{24*0.5}}
    init half: f16[3, 3] = {{9*0.5}}
    init bias: f32[3] = {{3*2}}
    init column: f32[3, 1] = {{3*2}}
    {}
    y: f32[?] = {}
    output y
  }})",
                                           weight, product));
}

TEST(fuse_nbits, weights_in_blocks_along_the_depth) {
  constexpr std::string_view kRows = "d: ? = DequantizeLinear(w, s, z) {block_size = 16, axis = 0}",
                             kColumns = "d: ? = DequantizeLinear(u, s, uz) {block_size = 16, axis = -1}",
                             kTurned = R"(c: ? = DequantizeLinear(u, s) {block_size = 16}
                                          d: ? = Transpose(c) {perm = ints[1, 0]})";
  EXPECT_EQ(by_blocks(kRows, "MatMul(x, d)"), "MatMulNBits");
  EXPECT_EQ(by_blocks(kTurned, "MatMul(x, d)"), "MatMulNBits");
  EXPECT_EQ(by_blocks(kColumns, "Gemm(x, d, bias) {transB = 1}"), "MatMulNBits");
  EXPECT_EQ(by_blocks(kRows, "Gemm(x, d)"), "MatMulNBits");
  EXPECT_EQ(
      by_blocks("d: ? = DequantizeLinear(w, s) {block_size = 16, axis = 0}\n p: ? = MatMul(x, d)", "Add(p, bias)"),
      "MatMulNBits");
  EXPECT_EQ(by_blocks(formatted("{}\n p: ? = MatMul(x, d)\n e: ? = ReduceSum(d)", kRows), "Add(p, e)"),
            "DequantizeLinear MatMulNBits ReduceSum Add")
      << "the floats are wanted too";
}

TEST(fuse_nbits, leaves_others) {
  constexpr std::string_view kColumns = "d: ? = DequantizeLinear(u, s, uz) {block_size = 16}";
  for (const auto& [weight, product] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
           {"d: ? = DequantizeLinear(given, s) {block_size = 16, axis = 0}", "MatMul(x, d)"},
           {"d: ? = DequantizeLinear(w, five) {block_size = 5, axis = 0}", "MatMul(x, d)"},
           {"h: ? = DequantizeLinear(w, half) {block_size = 16, axis = 0}\n d: ? = Cast(h) {to = 1}", "MatMul(x, d)"},
           {"d: ? = DequantizeLinear(w, bias) {axis = 1}", "MatMul(x, d)"},
           {kColumns, "Gemm(x, d) {transB = 1, alpha = 2.0}"},
           {kColumns, "Gemm(x, d, column) {transB = 1}"},
           {kColumns, "Gemm(x, d, bias) {transB = 1, beta = 2.0}"}})
    EXPECT_FALSE(contains(by_blocks(weight, product), "MatMulNBits")) << weight << product;
}

// The product of `rows` by codes [512, 600].
std::string by_codes(std::string_view rows, std::string_view weight, std::string_view product) {
  return ops_after("keep_codes", formatted(R"(graph "g" {{
    input x: f32[{}, 512]
    init w: i8[512, 600] = {{307200*1}}
    init turned: u8[600, 512] = {{307200*1}}
    init small: i8[512, 8] = {{4096*1}}
    init one: f32[] = {{0.5}}
    init s: f32[600] = {{600*0.5}}
    init rs: f32[512] = {{512*0.5}}
    init z: i8[600] = {{600*1}}
    init uz: u8[600] = {{600*1}}
    init bias: f32[600] = {{600*2}}
    {}
    y: f32[?] = {}
    output y
  }})",
                                           rows, weight, product));
}

TEST(keep_codes, of_large_weights_that_few_rows_meet) {
  constexpr std::string_view kColumns = "d: ? = DequantizeLinear(w, s, z)", kOne = "d: ? = DequantizeLinear(w, one)",
                             kTurned = "d: ? = DequantizeLinear(turned, s, uz) {axis = 0}";
  for (const std::string_view rows : {"1", "6", "batch", "2, 3"}) {
    EXPECT_EQ(by_codes(rows, kColumns, "MatMul(x, d)"), "MatMulNBits");
    EXPECT_EQ(by_codes(rows, kOne, "MatMul(x, d)"), "MatMulNBits");
  }
  EXPECT_EQ(by_codes("1", kTurned, "Gemm(x, d, bias) {transB = 1}"), "MatMulNBits");
  EXPECT_EQ(by_codes("1", formatted("{}\n p: ? = MatMul(x, d)", kColumns), "Add(p, bias)"), "MatMulNBits");
}

TEST(keep_codes, of_weights_too_large_as_floats) {
  EXPECT_EQ(ops_after("fold_constants keep_codes fold_dequantized", R"(graph "g" {
    input x: f32[100, 2048]
    init w: i8[2048, 4096] = {8388608*1}
    init one: f32[] = {0.5}
    d: f32[?] = DequantizeLinear(w, one)
    y: f32[?] = MatMul(x, d)
    output y
  })"),
            "MatMulNBits");
}

TEST(keep_codes, leaves_others) {
  constexpr std::string_view kColumns = "d: ? = DequantizeLinear(w, s, z)";
  EXPECT_FALSE(contains(by_codes("7", kColumns, "MatMul(x, d)"), "MatMulNBits")) << "many rows";
  EXPECT_FALSE(contains(by_codes("2, 4", kColumns, "MatMul(x, d)"), "MatMulNBits")) << "many rows";
  EXPECT_FALSE(contains(by_codes("1", "d: ? = DequantizeLinear(small, one)", "MatMul(x, d)"), "MatMulNBits"));
  EXPECT_FALSE(contains(by_codes("1", "d: ? = DequantizeLinear(w, rs) {axis = 0}", "MatMul(x, d)"), "MatMulNBits"))
      << "scales along the depth";
  EXPECT_FALSE(contains(by_codes("1", kColumns, "Gemm(x, d) {alpha = 2.0}"), "MatMulNBits"));
}

TEST(fold_constants, leaves_codes_to_who_multiplies_them) {
  constexpr std::string_view kText = R"(graph "g" {
    input x: f32[2, 2]
    init w: i8[2, 2] = {1, 2, 3, 4}
    init s: f32[] = {0.5}
    d: f32[?] = DequantizeLinear(w, s)
    y: f32[?] = MatMul(x, d)
    output y
  })";
  EXPECT_EQ(ops_after("fold_constants", kText), "DequantizeLinear MatMul");
  EXPECT_EQ(ops_after("fold_constants fold_dequantized", kText), "MatMul");
}

}  // namespace
}  // namespace sdx::passes
