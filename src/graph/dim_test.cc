#include "graph/dim.h"

#include <gtest/gtest.h>

namespace sdx {
namespace {

class dim : public ::testing::Test {
 protected:
  SymbolTable table_;
  Dim n_ = table_.symbol("n"), m_ = table_.symbol("m");
};

TEST_F(dim, sums_and_products_have_one_form) {
  const Dim a = table_.mul(table_.add(n_, Dim(2)), m_);
  const Dim b = table_.add(table_.mul(m_, n_), table_.mul(Dim(2), m_));
  EXPECT_EQ(a, b);
  EXPECT_EQ(table_.sub(a, b), Dim(0));
  EXPECT_EQ(table_.to_text(a), "2*m + n*m");
}

TEST_F(dim, exact_division_undoes_multiplication) {
  EXPECT_EQ(table_.floor_div(table_.mul(table_.mul(n_, m_), Dim(6)), table_.mul(n_, Dim(3))), table_.mul(m_, Dim(2)));
  EXPECT_EQ(table_.floor_div(n_, n_), Dim(1));
  EXPECT_EQ(table_.floor_div(table_.add(table_.mul(n_, Dim(4)), Dim(5)), Dim(4)), table_.add(n_, Dim(1)));
}

TEST_F(dim, comparison_decides_what_signs_decide) {
  EXPECT_EQ(table_.equal(n_, n_), Truth::yes);
  EXPECT_EQ(table_.equal(n_, m_), Truth::unknown);
  EXPECT_EQ(table_.equal(table_.add(n_, Dim(1)), n_), Truth::no);
  EXPECT_EQ(table_.equal(table_.add(n_, Dim(1)), Dim(0)), Truth::no);
  EXPECT_EQ(table_.less(n_, table_.add(table_.add(n_, m_), Dim(1))), Truth::yes);
  EXPECT_EQ(table_.less(table_.add(n_, m_), n_), Truth::no);
}

TEST_F(dim, overflow_gives_an_unknown) {
  const Dim big = table_.mul(n_, Dim(INT64_MAX));
  const Dim product = table_.mul(big, Dim(4));
  EXPECT_TRUE(product.as_atom().has_value());
  EXPECT_TRUE(table_.add(Dim(INT64_MAX), Dim(1)).as_atom().has_value());
  EXPECT_TRUE(table_.floor_div(n_, Dim(0)).as_atom().has_value());
}

TEST_F(dim, evaluates_with_numbers) {
  const Dim dim = table_.add(table_.floor_div(table_.mul(n_, m_), Dim(4)), table_.max(n_, m_));
  const auto value =
      table_.evaluate(dim, [&](AtomId id) { return std::optional<int64_t>(Dim::atom(id) == n_ ? 7 : 3); });
  EXPECT_EQ(value, 7 * 3 / 4 + 7);
  EXPECT_FALSE(table_.evaluate(dim, [](AtomId) { return std::optional<int64_t>(); }).has_value());
}

TEST_F(dim, text_parses_back) {
  const Dim odd = table_.symbol("p2o.Dynamic Dimension.0");
  for (const Dim& dim : {Dim(0), Dim(-7), n_, table_.sub(Dim(3), table_.mul(n_, odd)), table_.floor_div(n_, m_),
                         table_.ceil_div(table_.add(n_, Dim(3)), Dim(2)), table_.min(n_, table_.modulo(m_, Dim(5)))}) {
    const auto parsed = table_.parse(table_.to_text(dim));
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    EXPECT_EQ(*parsed, dim) << table_.to_text(dim);
  }
  for (const char* wrong : {"", "n +", "floor_div(n)", "99999999999999999999", "\"open", "n m"})
    EXPECT_FALSE(table_.parse(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace sdx
