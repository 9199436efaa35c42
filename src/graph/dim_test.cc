#include "graph/dim.h"

#include <gtest/gtest.h>

namespace sdx {
namespace {

class dim : public ::testing::Test {
 protected:
  SymbolTable table_;
  Dim n_ = table_.symbol("n"), m_ = table_.symbol("m");
};

TEST_F(dim, remainders_whose_quotient_times_the_divisor_overflows) {
  const Dim lowest(INT64_MIN);
  EXPECT_EQ(table_.modulo(lowest, Dim(10)), Dim(2));
  EXPECT_EQ(table_.evaluate(table_.modulo(n_, Dim(10)), [](AtomId) { return std::optional<int64_t>(INT64_MIN); }), 2);
  EXPECT_EQ(table_.evaluate(table_.modulo(n_, Dim(-10)), [](AtomId) { return std::optional<int64_t>(INT64_MIN); }), -8);
}

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

TEST_F(dim, broadcast_has_one_form) {
  const Dim k = table_.symbol("k"), nm = table_.broadcast(n_, m_);
  EXPECT_EQ(nm, table_.broadcast(m_, n_));
  EXPECT_EQ(table_.broadcast(n_, n_), n_);
  EXPECT_EQ(table_.broadcast(n_, Dim(1)), n_);
  EXPECT_EQ(table_.broadcast(Dim(1), n_), n_);
  EXPECT_EQ(table_.broadcast(Dim(1), Dim(1)), Dim(1));
  EXPECT_EQ(table_.broadcast(nm, n_), nm);
  for (const Dim& other : {table_.broadcast(n_, table_.broadcast(m_, k)), table_.broadcast(table_.broadcast(k, n_), m_),
                           table_.broadcast(table_.broadcast(m_, k), table_.broadcast(k, n_))})
    EXPECT_EQ(table_.broadcast(nm, k), other);
  // Of two operands one that is certainly not 1 is the result.
  EXPECT_EQ(table_.broadcast(n_, Dim(7)), Dim(7));
  EXPECT_EQ(table_.broadcast(n_, table_.add(m_, Dim(2))), table_.add(m_, Dim(2)));
  // What is cut at a number is the whole, or 1.
  const Dim cut = table_.min(n_, Dim(16));
  EXPECT_EQ(table_.broadcast(n_, cut), n_);
  EXPECT_EQ(table_.broadcast(cut, n_), n_);
  EXPECT_EQ(table_.broadcast(nm, cut), nm);
  EXPECT_NE(table_.broadcast(m_, cut), m_);
  EXPECT_NE(table_.broadcast(n_, table_.min(n_, Dim(0))), n_);
}

TEST_F(dim, broadcast_evaluates_to_the_larger_where_one_is_1) {
  const Dim both = table_.broadcast(n_, m_);
  const auto value = [&](int64_t n, int64_t m) {
    return table_.evaluate(both, [&](AtomId id) { return std::optional<int64_t>(Dim::atom(id) == n_ ? n : m); });
  };
  EXPECT_EQ(value(1, 5), 5);
  EXPECT_EQ(value(5, 1), 5);
  EXPECT_EQ(value(5, 5), 5);
  EXPECT_EQ(value(1, 0), 0);
  EXPECT_EQ(value(1, 1), 1);
}

TEST_F(dim, values_may_be_negative_and_sizes_not) {
  const Dim element = table_.value_symbol("shape[0]");
  EXPECT_EQ(element, table_.value_symbol("shape[0]"));
  EXPECT_FALSE(table_.is_non_negative(element));
  EXPECT_TRUE(table_.is_non_negative(n_));
  EXPECT_TRUE(table_.is_nameable(table_.max(element, n_)));
  EXPECT_TRUE(table_.is_nameable(table_.fresh()));
  EXPECT_FALSE(table_.is_nameable(table_.add(n_, table_.fresh_value())));
  EXPECT_FALSE(table_.is_nameable(table_.max(table_.fresh_value(), n_)));
}

TEST_F(dim, constraints_hold_where_symbols_tell) {
  using Kind = Constraint::Kind;
  const Dim twice = table_.mul(n_, Dim(2));
  EXPECT_EQ(table_.holds({Kind::equal, n_, n_}), Truth::yes);
  EXPECT_EQ(table_.holds({Kind::equal, n_, table_.add(n_, Dim(1))}), Truth::no);
  EXPECT_EQ(table_.holds({Kind::equal, n_, m_}), Truth::unknown);
  EXPECT_EQ(table_.holds({Kind::broadcasts, Dim(1), m_}), Truth::yes);
  EXPECT_EQ(table_.holds({Kind::broadcasts, Dim(3), Dim(2)}), Truth::no);
  EXPECT_EQ(table_.holds({Kind::broadcasts, n_, m_}), Truth::unknown);
  EXPECT_EQ(table_.holds({Kind::divides, twice, Dim(2)}), Truth::yes);
  EXPECT_EQ(table_.holds({Kind::divides, Dim(7), Dim(2)}), Truth::no);
  EXPECT_EQ(table_.holds({Kind::divides, n_, Dim(2)}), Truth::unknown);
  EXPECT_EQ(table_.holds({Kind::at_least, table_.add(n_, m_), m_}), Truth::yes);
  EXPECT_EQ(table_.holds({Kind::at_least, n_, table_.add(n_, Dim(1))}), Truth::no);
  EXPECT_EQ(table_.holds({Kind::at_least, n_, Dim(1)}), Truth::unknown);
}

TEST_F(dim, constraints_hold_where_numbers_do) {
  using Kind = Constraint::Kind;
  const auto holds = [&](Kind kind, int64_t a, int64_t b) {
    return table_.evaluate(Constraint{kind, n_, m_},
                           [&](AtomId id) { return std::optional<int64_t>(Dim::atom(id) == n_ ? a : b); });
  };
  EXPECT_EQ(holds(Kind::equal, 3, 3), true);
  EXPECT_EQ(holds(Kind::equal, 3, 4), false);
  EXPECT_EQ(holds(Kind::broadcasts, 1, 4), true);
  EXPECT_EQ(holds(Kind::broadcasts, 4, 1), true);
  EXPECT_EQ(holds(Kind::broadcasts, 4, 2), false);
  EXPECT_EQ(holds(Kind::divides, 6, 3), true);
  EXPECT_EQ(holds(Kind::divides, 7, 3), false);
  EXPECT_EQ(holds(Kind::divides, 7, 0), false);
  EXPECT_EQ(holds(Kind::divides, INT64_MIN, -1), true);
  EXPECT_EQ(holds(Kind::at_least, 3, 3), true);
  EXPECT_EQ(holds(Kind::at_least, 2, 3), false);
  EXPECT_FALSE(table_.evaluate(Constraint{Kind::equal, n_, m_}, [](AtomId) { return std::optional<int64_t>(); }));
}

TEST_F(dim, text_parses_back) {
  const Dim odd = table_.symbol("p2o.Dynamic Dimension.0");
  for (const Dim& dim : {Dim(0), Dim(-7), n_, table_.sub(Dim(3), table_.mul(n_, odd)), table_.floor_div(n_, m_),
                         table_.ceil_div(table_.add(n_, Dim(3)), Dim(2)), table_.min(n_, table_.modulo(m_, Dim(5))),
                         table_.broadcast(table_.broadcast(n_, odd), m_), table_.value_symbol("sizes[1]")}) {
    const auto parsed = table_.parse(table_.to_text(dim));
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    EXPECT_EQ(*parsed, dim) << table_.to_text(dim);
  }
  for (const char* wrong : {"", "n +", "floor_div(n)", "99999999999999999999", "\"open", "n m"})
    EXPECT_FALSE(table_.parse(wrong).ok()) << wrong;
}

}  // namespace
}  // namespace sdx
