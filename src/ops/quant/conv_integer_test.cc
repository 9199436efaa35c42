#include "ops/testing/op_case.h"

// Sums of 2 x 2 windows: the standard's examples.
OP_CASES(ConvInteger,
         {"without_padding",
          {u8({1, 1, 3, 3}, {2, 3, 4, 5, 6, 7, 8, 9, 10}), u8({1, 1, 2, 2}, {1}), u8({}, {1})},
          {i32({1, 1, 2, 2}, {12, 16, 24, 28})}},
         {"with_padding",
          {u8({1, 1, 3, 3}, {2, 3, 4, 5, 6, 7, 8, 9, 10}), u8({1, 1, 2, 2}, {1}), u8({}, {1})},
          {i32({1, 1, 4, 4}, {1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15, 17, 9})},
          {attr("pads", std::vector<int64_t>{1, 1, 1, 1})}},
         {"one_axis_strided_groups",
          {i8({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), i8({2, 1, 2}, {1, 2, 3, 4}), none, i8({2}, {0, 1})},
          {i32({1, 2, 2}, {5, 11, 28, 38})},
          {attr("group", 2), attr("strides", std::vector<int64_t>{2})}},
         {"same_lower",
          {u8({1, 1, 3}, {1, 2, 3}), u8({1, 1, 2}, {1, 10})},
          {i32({1, 1, 3}, {10, 21, 32})},
          {attr("auto_pad", "SAME_LOWER")}},
         {"dilated",
          {u8({1, 1, 5}, {1, 2, 3, 4, 5}), u8({1, 1, 2}, {1, 10})},
          {i32({1, 1, 3}, {31, 42, 53})},
          {attr("dilations", std::vector<int64_t>{2})}},
         {"three_axes",
          {u8({1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i8({1, 1, 2, 2, 2}, {1})},
          {i32({1, 1, 1, 1, 1}, {36})}});
OP_REJECTS(ConvInteger, "channels", {u8({1, 3, 4}, {0}), u8({2, 2, 2}, {0})});
OP_REJECTS(ConvInteger, "strides", {u8({1, 3, 4}, {0}), u8({2, 3, 2}, {0})},
           {attr("strides", std::vector<int64_t>{0})});
OP_REJECTS(ConvInteger, "reaches over", {u8({1, 3, 1}, {0}), u8({2, 3, 2}, {0})});

namespace {
template <int kGroups>
std::vector<::sdx::Shape> conv_shapes(uint32_t round) {
  const int64_t kernel = 1 + round % 3 + (round % 5 == 0 ? 2 : 0), side = kernel + round % 23;
  const int64_t channels = kGroups > 1 ? kGroups : 1 + round * 7 % 13,
                filters = kGroups > 1 ? kGroups * (1 + round % 2) : 1 + round * 5 % 29;
  return {{1 + round % 2, channels, side, side + 2}, {filters, channels / kGroups, kernel, kernel}};
}
}  // namespace
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::u8, DType::i8}, .low = -128, .high = 255, .shapes = conv_shapes<1>);
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::u8, DType::i8},
         .attributes = {attr("pads", std::vector<int64_t>{1, 1, 1, 0}), attr("strides", std::vector<int64_t>{2, 1})},
         .low = -128, .high = 255, .shapes = conv_shapes<1>);
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::u8},
         .attributes = {attr("group", 6), attr("pads", std::vector<int64_t>{1, 1, 1, 1}),
                        attr("strides", std::vector<int64_t>{2, 2})},
         .low = -128, .high = 255, .shapes = conv_shapes<6>);
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::i8}, .attributes = {attr("group", 6)}, .low = -128, .high = 255,
         .shapes = conv_shapes<6>);

namespace {
template <int kGroups>
std::vector<::sdx::Shape> volume_shapes(uint32_t round) {
  const int64_t kernel = 1 + round % 3, side = kernel + round % 9, depth = kernel + round % 4;
  const int64_t channels = kGroups * (1 + round % 3), filters = kGroups * (1 + round * 5 % 11);
  return {{1 + round % 2, channels, depth, side, side + 2}, {filters, channels / kGroups, kernel, kernel, kernel}};
}
}  // namespace
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::u8, DType::i8}, .low = -128, .high = 255,
         .shapes = volume_shapes<1>);
OP_SWEEP(ConvInteger, .inputs = 2, .types = {DType::u8},
         .attributes = {attr("group", 2), attr("pads", std::vector<int64_t>{1, 0, 1, 1, 1, 0}),
                        attr("strides", std::vector<int64_t>{2, 1, 2})},
         .low = -128, .high = 255, .shapes = volume_shapes<2>, .fixed_inputs = {u8({}, {7})});
OP_CASES(QLinearConv, {"three_axes_with_pads",
                       {u8({1, 1, 2, 1, 2}, {4, 5, 6, 7}), f32(1), u8({}, {3}), i8({1, 1, 2, 1, 1}, {1, 10}),
                        f32({1}, {1}), i8({1}, {0}), f32(1), u8({}, {0})},
                       {u8({1, 1, 3, 1, 2}, {10, 20, 31, 42, 3, 4})},
                       {attr("pads", std::vector<int64_t>{1, 0, 0, 1, 0, 0})}});
