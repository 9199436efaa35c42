// Convolutions over innermost channels: random shapes, steps, groups and zero points, each against sums in integers.
#include <algorithm>
#include <cmath>
#include <random>

#include "ops/testing/op_case.h"

namespace sdx::ops::testing {
namespace {

struct Setting {
  std::string name;
  int64_t channels, filters, group = 1;
  int64_t kernel[2] = {1, 1}, strides[2] = {1, 1}, dilations[2] = {1, 1}, pads[4] = {0, 0, 0, 0};
  int64_t in[2] = {5, 7};
  DType x = DType::u8, w = DType::i8, y = DType::u8;
  bool has_w_zeros = false, has_one_scale = false, has_bias = true, adds = false, is_second = false;
  int64_t batch = 1;
};

Value codes(DType type, const Shape& shape, const std::vector<int64_t>& values) {
  Tensor made = *Tensor::allocate(type, shape);
  for (size_t i = 0; i < values.size(); ++i) made.data<uint8_t>()[i] = static_cast<uint8_t>(values[i]);
  return Value(std::move(made));
}
template <typename T>
Value numbers(DType type, const Shape& shape, const std::vector<T>& values) {
  Tensor made = *Tensor::allocate(type, shape);
  std::copy(values.begin(), values.end(), made.data<T>());
  return Value(std::move(made));
}

class RandomCase {
 public:
  RandomCase(const Setting& setting, uint32_t seed) : s_(setting), random_(seed) {}

  Case make() {
    const int64_t own_channels = s_.channels / s_.group, own_filters = s_.filters / s_.group;
    for (int d = 0; d < 2; ++d)
      out_[d] = (s_.in[d] + s_.pads[d] + s_.pads[d + 2] - (s_.kernel[d] - 1) * s_.dilations[d] - 1) / s_.strides[d] + 1;
    const auto x = bytes(s_.x, s_.batch * s_.in[0] * s_.in[1] * s_.channels);
    const auto w = bytes(s_.w, s_.filters * own_channels * s_.kernel[0] * s_.kernel[1]);
    const int64_t x_zero = bytes(s_.x, 1)[0], y_zero = bytes(s_.y, 1)[0] / 2;
    const int64_t turned_zero = s_.w == DType::u8 ? 128 : 0;
    const auto w_zeros =
        s_.has_w_zeros ? bytes(s_.w, s_.filters) : std::vector<int64_t>(static_cast<size_t>(s_.filters), turned_zero);
    std::vector<float> scales;
    std::vector<int32_t> bias;
    const float x_scale = 0.0173f, y_scale = 0.7f * std::sqrt(static_cast<float>(w.size() / w_zeros.size()));
    for (int64_t m = 0; m < (s_.has_one_scale ? 1 : s_.filters); ++m)
      scales.push_back(0.01f + 0.0001f * static_cast<float>(random_() % 997));
    for (int64_t m = 0; m < s_.filters; ++m) bias.push_back(static_cast<int32_t>(random_() % 20001) - 10000);
    std::vector<int64_t> y;
    for (int64_t n = 0; n < s_.batch; ++n)
      for (int64_t i = 0; i < out_[0]; ++i)
        for (int64_t j = 0; j < out_[1]; ++j)
          for (int64_t m = 0; m < s_.filters; ++m) {
            int64_t sum = s_.has_bias ? bias[static_cast<size_t>(m)] : 0;
            for (int64_t ky = 0; ky < s_.kernel[0]; ++ky)
              for (int64_t kx = 0; kx < s_.kernel[1]; ++kx) {
                const int64_t at_y = i * s_.strides[0] - s_.pads[0] + ky * s_.dilations[0];
                const int64_t at_x = j * s_.strides[1] - s_.pads[1] + kx * s_.dilations[1];
                if (at_y < 0 || at_y >= s_.in[0] || at_x < 0 || at_x >= s_.in[1]) continue;
                for (int64_t c = 0; c < own_channels; ++c) {
                  const int64_t channel = m / own_filters * own_channels + c;
                  const int64_t code =
                      x[static_cast<size_t>(((n * s_.in[0] + at_y) * s_.in[1] + at_x) * s_.channels + channel)];
                  const int64_t weight =
                      w[static_cast<size_t>(((m * own_channels + c) * s_.kernel[0] + ky) * s_.kernel[1] + kx)];
                  sum += (code - x_zero) * (weight - w_zeros[static_cast<size_t>(m)]);
                }
              }
            const float multiplier = x_scale * scales[s_.has_one_scale ? 0 : static_cast<size_t>(m)] / y_scale;
            const float scaled = static_cast<float>(sum) * multiplier;
            const double low = s_.y == DType::u8 ? 0 : -128;
            y.push_back(static_cast<int64_t>(
                std::clamp(std::nearbyint(static_cast<double>(scaled)) + static_cast<double>(y_zero), low, low + 255)));
          }
    if (s_.adds) return with_sum(std::move(y), y_zero, x, x_scale, x_zero, w, w_zeros, scales, bias, y_scale);
    return finished(std::move(y), y_zero, x, x_scale, x_zero, w, w_zeros, scales, bias, y_scale);
  }

 private:
  using Codes = std::vector<int64_t>;
  Case finished(Codes y, int64_t y_zero, const Codes& x, float x_scale, int64_t x_zero, const Codes& w,
                const Codes& w_zeros, const std::vector<float>& scales, const std::vector<int32_t>& bias,
                float y_scale) {
    const int64_t own_channels = s_.channels / s_.group;
    const auto list = [](const int64_t* values, size_t count) { return std::vector<int64_t>(values, values + count); };
    const auto count = static_cast<int64_t>(scales.size());
    return {
        .name = s_.name,
        .inputs = {codes(s_.x, {s_.batch, s_.in[0], s_.in[1], s_.channels}, x), f32(x_scale), codes(s_.x, {}, {x_zero}),
                   codes(s_.w, {s_.filters, own_channels, s_.kernel[0], s_.kernel[1]}, w),
                   numbers(DType::f32, {count}, scales), codes(s_.w, {s_.filters}, w_zeros), f32(y_scale),
                   codes(s_.y, {}, {y_zero}), s_.has_bias ? numbers(DType::i32, {s_.filters}, bias) : none},
        .expected = {codes(s_.y, {s_.batch, out_[0], out_[1], s_.filters}, y)},
        .attributes = {attr("channels_last", int64_t{1}), attr("group", s_.group), attr("strides", list(s_.strides, 2)),
                       attr("dilations", list(s_.dilations, 2)), attr("pads", list(s_.pads, 4))}};
  }

  // y = fma(a, ratio, fma(b, other, rest)) of the codes.
  Case with_sum(Codes y, int64_t y_zero, const Codes& x, float x_scale, int64_t x_zero, const Codes& w,
                const Codes& w_zeros, const std::vector<float>& scales, const std::vector<int32_t>& bias,
                float y_scale) {
    const auto other = bytes(s_.y, static_cast<int64_t>(y.size()));
    const int64_t other_zero = bytes(s_.y, 1)[0], sum_zero = bytes(s_.y, 1)[0] / 3;
    const float other_scale = y_scale * 0.83f, sum_scale = y_scale * 1.31f;
    const float made_by = y_scale / sum_scale, other_by = other_scale / sum_scale;
    const auto a_zero = static_cast<float>(s_.is_second ? other_zero : y_zero);
    const auto b_zero = static_cast<float>(s_.is_second ? y_zero : other_zero);
    const float a_by = s_.is_second ? other_by : made_by, b_by = s_.is_second ? made_by : other_by;
    const float rest = static_cast<float>(sum_zero) - std::fma(a_by, a_zero, b_by * b_zero);
    const double low = s_.y == DType::u8 ? 0 : -128;
    Codes sums;
    for (size_t i = 0; i < y.size(); ++i) {
      const auto a = static_cast<float>(s_.is_second ? other[i] : y[i]);
      const auto b = static_cast<float>(s_.is_second ? y[i] : other[i]);
      const double sum = std::nearbyint(static_cast<double>(std::fma(a, a_by, std::fma(b, b_by, rest))));
      sums.push_back(static_cast<int64_t>(std::clamp(sum, low, low + 255)));
    }
    Case made = finished(std::move(sums), y_zero, x, x_scale, x_zero, w, w_zeros, scales, bias, y_scale);
    const Shape shape{s_.batch, out_[0], out_[1], s_.filters};
    for (const Value& value : {codes(s_.y, shape, other), f32(other_scale), codes(s_.y, {}, {other_zero}),
                               f32(sum_scale), codes(s_.y, {}, {sum_zero})})
      made.inputs.push_back(value);
    made.attributes.push_back(attr("convolution_is_second", int64_t{s_.is_second}));
    return made;
  }

  std::vector<int64_t> bytes(DType type, int64_t count) {
    std::vector<int64_t> made(static_cast<size_t>(count));
    for (int64_t& byte : made) byte = static_cast<int64_t>(random_() % 256) - (type == DType::i8 ? 128 : 0);
    return made;
  }

  Setting s_;
  std::mt19937 random_;
  int64_t out_[2] = {};
};

TEST(NhwcQLinearConv, sums_are_exact) {
  const Setting settings[] = {
      {.name = "1x1", .channels = 16, .filters = 64, .in = {7, 9}},
      {.name = "1x1_odd_channels", .channels = 13, .filters = 21, .in = {7, 9}},
      {.name = "1x1_strided", .channels = 8, .filters = 48, .strides = {2, 3}, .in = {8, 11}, .batch = 2},
      {.name = "1x1_one_channel", .channels = 1, .filters = 5},
      {.name = "1x1_padded", .channels = 6, .filters = 130, .pads = {1, 2, 0, 1}},
      {.name = "3x3", .channels = 20, .filters = 33, .kernel = {3, 3}, .pads = {1, 1, 1, 1}, .in = {9, 6}},
      {.name = "3x3_signed",
       .channels = 12,
       .filters = 96,
       .kernel = {3, 3},
       .pads = {1, 1, 1, 1},
       .x = DType::i8,
       .y = DType::i8},
      {.name = "7x7_three_channels",
       .channels = 3,
       .filters = 17,
       .kernel = {7, 7},
       .strides = {2, 2},
       .pads = {3, 3, 3, 3},
       .in = {23, 30},
       .batch = 2},
      {.name = "three_channels_signed",
       .channels = 3,
       .filters = 32,
       .kernel = {3, 3},
       .strides = {2, 2},
       .pads = {0, 0, 1, 1},
       .in = {14, 14},
       .x = DType::i8},
      {.name = "dilated",
       .channels = 5,
       .filters = 18,
       .kernel = {3, 2},
       .dilations = {2, 3},
       .pads = {1, 2, 3, 0},
       .in = {12, 13}},
      {.name = "grouped", .channels = 24, .filters = 40, .group = 4, .kernel = {3, 3}, .pads = {1, 1, 1, 1}},
      {.name = "grouped_odd", .channels = 15, .filters = 21, .group = 3, .kernel = {2, 3}, .has_one_scale = true},
      {.name = "depthwise",
       .channels = 70,
       .filters = 70,
       .group = 70,
       .kernel = {3, 3},
       .pads = {1, 1, 1, 1},
       .in = {9, 11},
       .batch = 2},
      {.name = "depthwise_signed_strided",
       .channels = 150,
       .filters = 150,
       .group = 150,
       .kernel = {3, 3},
       .strides = {2, 2},
       .pads = {1, 1, 1, 1},
       .in = {13, 10},
       .x = DType::i8,
       .y = DType::i8},
      {.name = "depthwise_5x5",
       .channels = 33,
       .filters = 33,
       .group = 33,
       .kernel = {5, 5},
       .pads = {2, 2, 2, 2},
       .in = {9, 8}},
      {.name = "depthwise_dilated",
       .channels = 9,
       .filters = 9,
       .group = 9,
       .kernel = {3, 3},
       .dilations = {2, 2},
       .pads = {2, 2, 2, 2}},
      {.name = "depthwise_zeros",
       .channels = 20,
       .filters = 20,
       .group = 20,
       .kernel = {3, 3},
       .pads = {1, 1, 1, 1},
       .w = DType::u8,
       .has_w_zeros = true},
      {.name = "depthwise_multiplied", .channels = 6, .filters = 12, .group = 6, .kernel = {3, 3}},
      {.name = "unsigned_filters", .channels = 16, .filters = 20, .kernel = {3, 3}, .w = DType::u8, .has_bias = false},
      {.name = "zeros_of_filters",
       .channels = 18,
       .filters = 70,
       .kernel = {3, 3},
       .pads = {1, 1, 1, 1},
       .w = DType::u8,
       .has_w_zeros = true},
      {.name = "zeros_of_signed_filters",
       .channels = 16,
       .filters = 90,
       .in = {5, 50},
       .x = DType::i8,
       .has_w_zeros = true},
      {.name = "many_pixels", .channels = 4, .filters = 16, .kernel = {3, 3}, .pads = {1, 1, 1, 1}, .in = {40, 33}},
      {.name = "filters_in_even_parts", .channels = 36, .filters = 150, .in = {14, 14}},
      {.name = "pixels_in_even_parts", .channels = 130, .filters = 40, .in = {14, 14}},
      {.name = "depthwise_in_even_parts",
       .channels = 960,
       .filters = 960,
       .group = 960,
       .kernel = {3, 3},
       .pads = {1, 1, 1, 1},
       .in = {7, 7}},
      {.name = "kernel_beyond_the_image",
       .channels = 3,
       .filters = 8,
       .kernel = {3, 9},
       .pads = {1, 8, 1, 8},
       .in = {3, 2}},
  };
  uint32_t seed = 1;
  for (Setting setting : settings) {
    run_case("com.microsoft", "QLinearConv", RandomCase(setting, seed++).make());
    setting.adds = true;
    setting.is_second = seed % 2 == 0;
    run_case("sardonyx", "QLinearConvAdd", RandomCase(setting, seed++).make());
  }
}

TEST(NhwcQLinearConv, random_settings_are_exact) {
  std::mt19937 random(7);
  const auto up_to = [&](int64_t most) { return 1 + static_cast<int64_t>(random() % static_cast<uint32_t>(most)); };
  for (int round = 0; round < 40; ++round) {
    Setting s{.name = "random " + std::to_string(round), .channels = up_to(40), .filters = up_to(80)};
    if (round % 3 == 1) s.group = up_to(5), s.channels = s.group * up_to(9), s.filters = s.group * up_to(20);
    if (round % 3 == 2) s.group = s.channels = s.filters = up_to(140);
    for (int d = 0; d < 2; ++d) {
      s.kernel[d] = up_to(4), s.strides[d] = up_to(3), s.dilations[d] = round % 4 == 0 ? up_to(2) : 1;
      s.pads[d] = up_to(3) - 1, s.pads[d + 2] = up_to(3) - 1;
      s.in[d] = (s.kernel[d] - 1) * s.dilations[d] + up_to(14);
    }
    s.x = random() % 2 ? DType::u8 : DType::i8, s.y = random() % 2 ? DType::u8 : DType::i8;
    s.w = s.x == DType::u8 && random() % 2 ? DType::u8 : DType::i8;
    s.has_w_zeros = random() % 4 == 0, s.has_bias = random() % 2, s.has_one_scale = random() % 2;
    s.batch = up_to(2);
    run_case("com.microsoft", "QLinearConv", RandomCase(s, static_cast<uint32_t>(round)).make());
    s.adds = true, s.is_second = random() % 2;
    run_case("sardonyx", "QLinearConvAdd", RandomCase(s, static_cast<uint32_t>(round)).make());
  }
}

}  // namespace
}  // namespace sdx::ops::testing

OP_REJECTS_IN("com.microsoft", QLinearConv, "channels",
              {u8({1, 4, 4, 3}, {0}), f32(1), u8({}, {0}), i8({2, 4, 1, 1}, {0}), f32(1), i8({}, {0}), f32(1),
               u8({}, {0})},
              {attr("channels_last", 1)});
OP_CASES_IN("com.microsoft", QLinearConv,
            {"channels_second",
             {u8({1, 1, 2}, {3, 5}), f32(1), u8({}, {1}), i8({2, 1, 1}, {2, -3}), f32({2}, {0.5, 0.25}),
              i8({2}, {0, 0}), f32(1), i8({}, {-1}), i32({2}, {1, 2})},
             {i8({1, 2, 2}, {1, 3, -2, -3})}});
