// Sizes scaled by a fraction: what symbols become in integers against the standard's product in float32.
#include "ops/image/resize_taps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sdx::ops {
namespace {

struct Scaled {
  SymbolTable symbols;
  std::vector<Constraint> constraints;
  Dim out;
  int64_t largest = 0;  // 0: no expression
};

Scaled scaled_symbol(float scale) {
  Scaled made;
  const Node node;
  InferContext ctx(node, {}, made.symbols, nullptr, &made.constraints);
  const Dim size = made.symbols.symbol("n");
  auto out = scaled_size(ctx, size, scale);
  EXPECT_TRUE(out.ok()) << out.status().message();
  if (out.ok()) made.out = *out;
  for (const Constraint& constraint : made.constraints) {
    EXPECT_EQ(constraint.kind, Constraint::Kind::at_least);
    EXPECT_EQ(constraint.b, size);
    made.largest = constraint.a.known();
  }
  return made;
}

// Compares the first and last few thousand sizes, and one in `stride` of the rest.
void expect_like_float(float scale, int64_t stride) {
  const Scaled scaled = scaled_symbol(scale);
  if (scaled.largest == 0) return;
  EXPECT_LE(scaled.largest, kExactInFloat);
  for (int64_t n = 0; n <= scaled.largest; n += n < 1024 || n + 1024 > scaled.largest ? 1 : stride) {
    const auto found = scaled.symbols.evaluate(scaled.out, [&](AtomId) { return std::optional<int64_t>(n); });
    const float wanted = std::floor(static_cast<float>(n) * scale);
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(*found, static_cast<int64_t>(wanted))
        << n << " * " << scale << ", " << scaled.symbols.to_text(scaled.out);
  }
}

TEST(ResizeScales, of_a_symbol_are_what_float32_gives) {
  for (int64_t p = 1; p <= 40; ++p)
    for (int64_t q = 1; q <= 40; ++q) expect_like_float(static_cast<float>(p) / static_cast<float>(q), 16411);
  for (const float scale : {1.0F / 300, 300.0F, 1.0F / 3, 0.7F, 1.7F, 0.1F, 0.3F, 1e5F, 3e5F, 0.001F})
    expect_like_float(scale, 97);
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const float base =
        std::ldexp(1.0F + static_cast<float>(random() % 8388608) / 8388608, static_cast<int>(random() % 16) - 10);
    expect_like_float(base, 4099);
    const float fraction = static_cast<float>(1 + random() % 999) / static_cast<float>(1 + random() % 999);
    for (const float near : {fraction, std::nextafter(fraction, 0.0F), std::nextafter(fraction, 1e9F)})
      expect_like_float(near, 4099);
  }
}

TEST(ResizeScales, that_exporters_write_have_expressions) {
  for (const auto& [scale, text] : std::vector<std::pair<float, std::string>>{{1.0F / 300, "floor_div(n, 300)"},
                                                                              {300, "300*n"},
                                                                              {0.5F, "floor_div(n, 2)"},
                                                                              {1.5F, "floor_div(3*n, 2)"},
                                                                              {1.0F / 3, "floor_div(n, 3)"},
                                                                              {0.6F, "floor_div(3*n, 5)"},
                                                                              {1.0F, "n"}}) {
    const Scaled scaled = scaled_symbol(scale);
    EXPECT_EQ(scaled.symbols.to_text(scaled.out), text);
    EXPECT_TRUE(scale == 1 || scaled.largest >= int64_t{1} << 14) << scale;
  }
}

TEST(ResizeScales, are_refused_or_unknown_beyond_what_is_proven) {
  SymbolTable symbols;
  const Node node;
  InferContext ctx(node, {}, symbols);
  for (const float scale : {0.0F, -1.0F, INFINITY, NAN})
    EXPECT_FALSE(scaled_size(ctx, symbols.symbol("n"), scale).ok());
  for (const float scale : {1e30F, 1e-30F, 3.3e9F}) {
    const auto out = scaled_size(ctx, symbols.symbol("n"), scale);
    ASSERT_TRUE(out.ok());
    EXPECT_TRUE(symbols.atom(*out->as_atom()).anonymous) << scale;
  }
}

}  // namespace
}  // namespace sdx::ops
