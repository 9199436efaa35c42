#include "ops/quant/quantize_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/cpu.h"

namespace sdx::ops {
namespace {

// Quotients at the middles between whole numbers, just beside them, and beyond the codes.
std::vector<float> hard_values(float scale) {
  std::vector<float> values = {INFINITY, -INFINITY, NAN, -0.0f, 3e38f, -3e38f, 1e-42f};
  for (int i = -1100; i < 1100; ++i) {
    const auto middle = static_cast<float>((i * 0.25) * static_cast<double>(scale));
    for (const float v : {middle, std::nextafter(middle, INFINITY), std::nextafter(middle, -INFINITY)})
      values.push_back(v);
  }
  return values;
}

int64_t wanted_code(float x, float scale, int32_t zero, const CodeRange& codes) {
  const float quotient = x / scale;
  if (std::isnan(quotient)) return codes.low;
  const double whole = std::nearbyint(static_cast<double>(quotient)) + zero;
  return static_cast<int64_t>(std::fmin(std::fmax(whole, codes.low), codes.high));
}

TEST(quantize_row, rounds_the_quotient_at_every_level) {
  for (const float scale : {0.02f, 0.5f, 1.0f, 0.1f, 3.0f, 7e-5f, 1e-38f, 1e38f, -0.25f, 0.0f}) {
    const std::vector<float> values = hard_values(scale);
    for (const DType type : {DType::u8, DType::i8, DType::u16, DType::i16}) {
      const CodeRange codes = code_range(type);
      for_each_isa([&](Isa isa) {
        for (const int32_t zero : {0, 3, codes.high}) {
          std::vector<uint8_t> found(values.size() * 2);
          quantize_row_kernel()(values.data(), {&scale, &zero, 0}, codes, found.data(), values.size());
          for (size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(load_i64(type, found.data(), static_cast<int64_t>(i)), wanted_code(values[i], scale, zero, codes))
                << values[i] << " / " << scale << " + " << zero << " to " << name(type) << " at " << name(isa);
        }
      });
    }
  }
}

TEST(range_of, leaves_nan_out) {
  for_each_isa([&](Isa isa) {
    for (const size_t count : {1u, 17u, 64u, 200u}) {
      std::vector<float> values(count, 0.5f);
      for (size_t i = 0; i < count; i += 3) values[i] = NAN;
      values[count - 1] = -2;
      values[count / 2] = count > 1 ? 3.0f : -2.0f;
      float low = 0, high = 0;
      range_kernel()(values.data(), count, &low, &high);
      EXPECT_EQ(low, -2) << count << " at " << name(isa);
      EXPECT_EQ(high, count > 1 ? 3 : 0) << count << " at " << name(isa);
    }
  });
}

// Every element's scale, however the tensor is cut.
TEST(scaled_piece, names_the_scale_of_each_element) {
  struct Form {
    Shape shape, scale;
    int64_t axis, block;
  };
  const Form forms[] = {{{2, 3, 4}, {}, 1, 0},        {{2, 3, 4}, {3}, 1, 0},      {{2, 3, 4}, {4}, 2, 0},
                        {{5, 6}, {5, 2}, 1, 3},       {{5, 7}, {5, 3}, 1, 3},      {{5, 6}, {2, 6}, 0, 3},
                        {{2, 5, 3}, {2, 2, 3}, 1, 4}, {{1, 6, 1}, {1, 2, 1}, 1, 4}};
  for (const Form& form : forms) {
    const auto how = granularity(form.shape, form.scale, form.axis, form.block);
    ASSERT_TRUE(how.ok()) << how.status().message();
    const int64_t count = count_of(form.shape);
    for (int64_t begin = 0; begin < count; ++begin) {
      for (int64_t at = begin; at < count;) {
        const ScaledPiece piece = scaled_piece(*how, at, count);
        ASSERT_GT(piece.count, 0);
        ASSERT_EQ(piece.at, at);
        for (int64_t i = 0; i < piece.count; ++i)
          ASSERT_EQ(piece.scale + (piece.step == 1 ? i : i / piece.run), how->scale_index(at + i))
              << to_text(form.shape) << " element " << at + i;
        at += piece.count;
      }
    }
  }
}

}  // namespace
}  // namespace sdx::ops
