#include "ops/testing/op_case.h"

OP_CASES_IN("sardonyx", ConvIntegerToFloat,
            {"one_axis_with_zero_points",
             {u8({1, 3, 2}, {1, 2, 3, 4, 5, 6}), i8({2, 2, 1}, {1, -1, 2, 3}), u8({}, {1}), i8({}, {1}), f32(0.5),
              i32({2}, {10, -4})},
             {f32({1, 3, 2}, {4, -1, 2, 2, 0, 5})}},
            {"padding_counts_as_the_zero_point",
             {u8({1, 1, 1, 1}, {7}), u8({1, 1, 3, 3}, {9}), u8({}, {3}), u8({}, {5}), f32(2)},
             {f32({1, 1, 1, 1}, {32})},
             {attr("pads", std::vector<int64_t>{1, 1, 1, 1})}});
OP_REJECTS_IN("sardonyx", ConvIntegerToFloat, "channels",
              {u8({1, 4, 4, 3}, {0}), u8({2, 4, 1, 1}, {0}), none, none, f32(1)});

namespace {
template <int kGroups>
std::vector<::sdx::Shape> shapes(uint32_t round) {
  const int64_t kernel = 1 + round % 3 + (round % 5 == 0 ? 2 : 0), side = kernel + round % 23;
  const int64_t channels = 1 + round * 7 % 13, filters = 1 + round * 5 % 40;
  return {{1 + round % 2, side, side + 2, kGroups * channels}, {kGroups * filters, channels, kernel, kernel}};
}
using Ints = std::vector<int64_t>;
}  // namespace
OP_SWEEP_IN("sardonyx", ConvIntegerToFloat, .inputs = 2, .types = {DType::u8},
            .attributes = {attr("pads", Ints{1, 1, 1, 0}), attr("strides", Ints{2, 1})}, .low = 0, .high = 255,
            .shapes = shapes<1>, .fixed_inputs = {u8({}, {77}), u8({}, {131}), f32(0.01)});
OP_SWEEP_IN("sardonyx", ConvIntegerToFloat, .inputs = 2, .types = {DType::u8},
            .attributes = {attr("pads", Ints{0, 2, 1, 0}), attr("dilations", Ints{1, 2})}, .low = 0, .high = 255,
            .shapes = shapes<1>, .fixed_inputs = {u8({}, {200}), none, f32(0.01)});
OP_SWEEP_IN("sardonyx", ConvIntegerToFloat, .inputs = 2, .types = {DType::i8},
            .attributes = {attr("pads", Ints{1, 1, 1, 1}), attr("strides", Ints{1, 2})}, .low = -128, .high = 127,
            .shapes = shapes<1>, .fixed_inputs = {i8({}, {-7}), i8({}, {3}), f32(0.01)});
OP_SWEEP_IN("sardonyx", ConvIntegerToFloat, .inputs = 2, .types = {DType::u8},
            .attributes = {attr("group", 3), attr("pads", Ints{1, 1, 1, 1})}, .low = 0, .high = 255,
            .shapes = shapes<3>, .fixed_inputs = {u8({}, {9}), u8({}, {120}), f32(0.01)});
