// Lookups and sums of a matrix's rows.
#include <gtest/gtest.h>

#include "base/format.h"
#include "passes/testing/outcome.h"

namespace sdx::passes {
namespace {

TEST(scatter_rows, one_number_a_row) {
  const auto scattered = [](std::string_view index, std::string_view updates, std::string_view axis) {
    return ops_after("scatter_rows", formatted(R"(graph "g" {{
      input x: f32[8, 4, 3]
      input i: i64[{}]
      input u: f32[{}]
      s: i64[?] = Shape(u)
      e: i64[?] = Expand(i, s)
      y: f32[?] = ScatterElements(x, e, u) {{axis = {}, reduction = "add"}}
      output y
    }})",
                                               index, updates, axis));
  };
  constexpr std::string_view kSpelled = "Shape Expand ScatterElements";
  EXPECT_EQ(scattered("n, 1, 1", "n, 4, 3", "0"), "Shape ScatterRows");
  EXPECT_EQ(scattered("5, 1, 1", "5, 4, 3", "-3"), "Shape ScatterRows");
  EXPECT_EQ(scattered("2, 1", "8, 2, 3", "1"), "Shape ScatterRows") << "fewer dimensions";
  EXPECT_EQ(scattered("n, 1, 1", "m, 4, 3", "0"), kSpelled) << "the index may be one row, repeated";
  EXPECT_EQ(scattered("5, 1, 1", "5, 2, 3", "0"), kSpelled) << "a part of each row";
  EXPECT_EQ(scattered("5, 4, 1", "5, 4, 3", "0"), kSpelled) << "not the same along a row";
  EXPECT_EQ(scattered("1, 1, 1", "5, 4, 3", "0"), kSpelled) << "one number for all rows";
}

std::string looked_up(std::string_view chain, std::string_view gather = "Gather(m, i)") {
  return ops_after("gather_first", formatted(R"(graph "g" {{
    input i: i64[n]
    input s: f32[4, 1]
    init t: i8[4, 2] = {{1, 2, 3, 4, 5, 6, 7, 8}}
    init r: f32[4, 1] = {{1, 2, 3, 4}}
    init c: f32[2] = {{1, 2}}
    {}
    y: f32[?] = {}
    output y
  }})",
                                             chain, gather));
}

TEST(gather_first, rows_are_looked_up_before_they_are_converted_and_scaled) {
  constexpr std::string_view kCast = "f: f32[?] = Cast(t) {to = 1}\n";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)", kCast)), "Gather Gather Cast Mul");
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, c)", kCast)), "Gather Cast Mul") << "a factor without rows stays";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, s)", kCast)), "Cast Mul Gather") << "no weight";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)\noutput m", kCast)), "Cast Mul Gather") << "others want it";
  EXPECT_EQ(looked_up(formatted("{}m: f32[?] = Mul(f, r)", kCast), "Gather(m, i) {axis = 1}"), "Cast Mul Gather");
  EXPECT_EQ(looked_up("m: f32[?] = Cast(t) {to = 1}"), "Gather Cast");
}

}  // namespace
}  // namespace sdx::passes
