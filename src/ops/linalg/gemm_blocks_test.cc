// Products of all sizes, layouts and starts against plain sums; the same bits whatever stands around a row.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "base/cpu.h"
#include "base/float_format.h"
#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_tiles.h"

namespace sdx::ops {
namespace {

std::vector<float> random_values(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> list(static_cast<size_t>(count));
  for (float& v : list) v = values(random);
  return list;
}

struct Problem {
  int64_t m, n, k;
  std::vector<float> a, b, bias;
  MatrixF32 a_matrix, b_matrix;

  Problem(int64_t rows, int64_t columns, int64_t depth, bool a_transposed, bool b_transposed)
      : m(rows),
        n(columns),
        k(depth),
        a(random_values(m * k, 1)),
        b(random_values(k * n, 2)),
        bias(random_values(std::max(m, n), 3)) {
    a_matrix = a_transposed ? MatrixF32{a.data(), 1, m} : MatrixF32{a.data(), k, 1};
    b_matrix = b_transposed ? MatrixF32{b.data(), 1, k} : MatrixF32{b.data(), n, 1};
  }
  double expected(int64_t i, int64_t j) const {
    double sum = 0;
    for (int64_t p = 0; p < k; ++p)
      sum += static_cast<double>(a_matrix.data[i * a_matrix.row + p * a_matrix.column]) *
             static_cast<double>(b_matrix.data[p * b_matrix.row + j * b_matrix.column]);
    return sum;
  }
};

void check(const Problem& p, GemmF32::Start start, bool packed, bool relu) {
  const int64_t c_row = p.n == 1 ? 1 : p.n + 3;
  std::vector<float> c(static_cast<size_t>(p.m * c_row + 3), 7.0f);
  GemmF32 g{.m = p.m, .n = p.n, .k = p.k, .a = p.a_matrix, .b = p.b_matrix, .c = c.data(), .c_row = c_row};
  g.start = start;
  g.bias = p.bias.data();
  if (relu) g.low = 0;
  auto weights = PackedF32::create(p.b_matrix, p.k, p.n);
  ASSERT_TRUE(weights.ok());
  if (packed) g.packed = &*weights;
  gemm(g);
  for (int64_t i = 0; i < p.m; ++i) {
    for (int64_t j = 0; j < p.n; ++j) {
      double wanted = p.expected(i, j);
      if (start == GemmF32::Start::c) wanted += 7;
      if (start == GemmF32::Start::per_row) wanted += static_cast<double>(p.bias[static_cast<size_t>(i)]);
      if (start == GemmF32::Start::per_column) wanted += static_cast<double>(p.bias[static_cast<size_t>(j)]);
      if (relu) wanted = std::max(wanted, 0.0);
      ASSERT_NEAR(static_cast<double>(c[static_cast<size_t>(i * c_row + j)]), wanted,
                  1e-6 * static_cast<double>(p.k + 10))
          << p.m << "x" << p.n << "x" << p.k << " at " << i << "," << j;
    }
    for (int64_t j = p.n; j < c_row; ++j) ASSERT_EQ(c[static_cast<size_t>(i * c_row + j)], 7.0f) << "written beyond";
  }
}

TEST(gemm, is_right_for_all_sizes_layouts_and_starts) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    uint32_t round = 0;
    for (const int64_t m : {1, 2, 3, 4, 5, 13, 14, 15, 29, 60})
      for (const int64_t n : {1, 7, 8, 16, 31, 32, 33, 70, 129, 260})
        for (const int64_t k : {0, 1, 5, 64, 300}) {
          ++round;
          const Problem p(m, n, k, round % 3 == 0, round % 5 < 2);
          check(p, static_cast<GemmF32::Start>(round % 4), round % 7 < 3, round % 2 == 0);
        }
    check(Problem(600, 70, 30, false, false), GemmF32::Start::zero, false, false);
    check(Problem(3, 3000, 700, false, false), GemmF32::Start::zero, true, false);
    // Several blocks of rows, and b in several parts.
    for (const auto start : {GemmF32::Start::zero, GemmF32::Start::c, GemmF32::Start::per_column})
      check(Problem(140, 70, 1700, false, false), start, true, true);
    check(Problem(300, 33, 1030, true, false), GemmF32::Start::per_row, true, false);
    check(Problem(512, 33, 300, true, true), GemmF32::Start::per_row, true, false);  // a's columns share cache sets
  });
}

TEST(gemm, finishes_each_element_once) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    for (const auto& [m, n, k] :
         {std::array<int64_t, 3>{1, 150, 700}, {8, 70, 5}, {9, 31, 0}, {300, 70, 40}, {140, 70, 1700}})
      for (const bool packed : {false, true}) {
        const Problem p(m, n, k, false, false);
        const auto weights = PackedF32::create(p.b_matrix, k, n);
        ASSERT_TRUE(weights.ok());
        std::vector<float> plain(static_cast<size_t>(m * n), 0.5f), finished = plain;
        GemmF32 g{.m = m, .n = n, .k = k, .a = p.a_matrix, .b = p.b_matrix, .c = plain.data(), .c_row = n};
        if (packed && k > 0) g.packed = &*weights;
        g.start = GemmF32::Start::c;
        gemm(g);
        std::vector<int> times(plain.size());
        const auto twice = [&](float* made, float* c, int64_t rows, int64_t columns) {
          for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) {
              c[i * n + j] = 2 * made[i * columns + j];
              ++times[static_cast<size_t>(c - finished.data() + i * n + j)];
            }
        };
        const GemmF32::Finish finish(twice);
        g.finish = &finish;
        g.c = finished.data();
        gemm(g);
        for (size_t i = 0; i < plain.size(); ++i)
          ASSERT_TRUE(finished[i] == 2 * plain[i] && times[i] == 1) << m << "x" << n << "x" << k << " at " << i;
      }
  });
}

TEST(gemm, gives_a_row_the_same_bits_alone) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    const Problem p(150, 70, 1700, false, false);
    std::vector<float> all(static_cast<size_t>(p.m * p.n)), copied(all.size()), one(static_cast<size_t>(p.n));
    const auto weights = PackedF32::create(p.b_matrix, p.k, p.n);
    ASSERT_TRUE(weights.ok());
    GemmF32 g{.m = p.m, .n = p.n, .k = p.k, .a = p.a_matrix, .b = p.b_matrix, .c = copied.data(), .c_row = p.n};
    gemm(g);
    g.packed = &*weights;
    g.c = all.data();
    gemm(g);
    EXPECT_EQ(copied, all);
    for (int64_t i = 0; i < p.m; ++i) {
      gemm({.m = 1,
            .n = p.n,
            .k = p.k,
            .a = {p.a.data() + i * p.k, p.k, 1},
            .packed = &*weights,
            .c = one.data(),
            .c_row = p.n});
      for (int64_t j = 0; j < p.n; ++j)
        ASSERT_EQ(one[static_cast<size_t>(j)], all[static_cast<size_t>(i * p.n + j)]) << i << "," << j;
    }
  });
}

// What a weight of 16 bits holds, after a Cast.
float rounded(double value, WeightType type) {
  return type == WeightType::f16 ? static_cast<float>(f16(value))
                                 : static_cast<float>(static_cast<double>(bf16(value)));
}

TEST(gemm, reads_weights_of_16_bits_with_the_bits_of_float32) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    for (const WeightType type : {WeightType::f16, WeightType::bf16})
      for (const auto& [n, k] : {std::pair<int64_t, int64_t>{150, 700}, {64, 256}, {33, 1000}}) {
        Problem p(40, n, k, false, false);
        for (float& v : p.b) v = rounded(static_cast<double>(v), type);
        p.b[5] = rounded(3e-6, type);  // not normal in float16
        p.b[6] = std::numeric_limits<float>::infinity();
        p.b[7] = -0.0f;
        const auto weights = PackedF32::create(p.b_matrix, p.k, p.n);
        ASSERT_TRUE(weights.ok());
        EXPECT_EQ(weights->type(), gemm_tiles().takes_half ? type : WeightType::f32);
        EXPECT_EQ(static_cast<int64_t>(weights->byte_size()) * (gemm_tiles().takes_half ? 2 : 1),
                  PackedF32::bytes_for(k, n));
        for (const int64_t m : {1, 2, 3, 4, 13, 14, 15, 29, 40}) {
          std::vector<float> wide(static_cast<size_t>(m * n)), narrow(wide.size());
          gemm({.m = m, .n = n, .k = k, .a = p.a_matrix, .b = p.b_matrix, .c = wide.data(), .c_row = n});
          gemm({.m = m, .n = n, .k = k, .a = p.a_matrix, .packed = &*weights, .c = narrow.data(), .c_row = n});
          for (size_t i = 0; i < wide.size(); ++i)
            ASSERT_TRUE(wide[i] == narrow[i] || (std::isnan(wide[i]) && std::isnan(narrow[i]))) << m << " at " << i;
        }
      }
  });
}

TEST(gemm, keeps_weights_wide_where_one_needs_it) {
  Problem p(3, 150, 700, false, false);
  for (float& v : p.b) v = rounded(static_cast<double>(v), WeightType::f16);
  p.b.back() = 0.1f;
  const auto weights = PackedF32::create(p.b_matrix, p.k, p.n);
  ASSERT_TRUE(weights.ok());
  EXPECT_EQ(weights->type(), WeightType::f32);
  check(p, GemmF32::Start::zero, true, false);
}

TEST(gemm, a_batch_over_threads_has_the_bits_of_single_products) {
  const int64_t m = 5, n = 40, k = 33, count = 7;
  const auto a = random_values(count * m * k, 4), b = random_values(count * k * n, 5);
  std::vector<float> c(static_cast<size_t>(count * m * n)), d(c.size());
  const auto at = [&](int64_t i, std::vector<float>& to) {
    return GemmF32{.m = m,
                   .n = n,
                   .k = k,
                   .a = {a.data() + i * m * k, k, 1},
                   .b = {b.data() + i * k * n, n, 1},
                   .c = to.data() + i * m * n,
                   .c_row = n};
  };
  const auto pool = ThreadPool::shared(2);
  const RunEnvironment environment{.pool = pool.get()};
  const Node node;
  KernelContext ctx(node, {}, {}, {}, environment);
  ASSERT_TRUE(gemm_batch(ctx, count, [&](int64_t i) { return at(i, c); }).ok());
  for (int64_t i = 0; i < count; ++i) gemm(at(i, d));
  EXPECT_EQ(c, d);
}

}  // namespace
}  // namespace sdx::ops
