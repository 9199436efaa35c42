#include "ops/testing/op_case.h"

namespace {
using Ints = std::vector<int64_t>;
}
OP_CASES(ConvTranspose, {"stride_1", {f32({1, 1, 2}, {1, 2}), f32({1, 1, 2}, {1, 10})}, {f32({1, 1, 3}, {1, 12, 20})}},
         {"stride_2_leaves_gaps",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {3})},
          {f32({1, 1, 3}, {3, 0, 6})},
          {attr("strides", Ints{2})}},
         {"pads_cut",
          {f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 3}, {1, 1, 1})},
          {f32({1, 1, 3}, {3, 6, 5})},
          {attr("pads", Ints{1, 1})}},
         {"output_padding_adds_at_the_end",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {3})},
          {f32({1, 1, 4}, {3, 0, 6, 0})},
          {attr("strides", Ints{2}), attr("output_padding", Ints{1})}},
         {"same_upper_is_stride_times_input",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 3}, {1, 10, 100})},
          {f32({1, 1, 4}, {1, 10, 102, 20})},
          {attr("strides", Ints{2}), attr("auto_pad", "SAME_UPPER")}},
         {"output_shape_cuts_more_at_the_start",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 3}, {1, 10, 100})},
          {f32({1, 1, 4}, {10, 102, 20, 200})},
          {attr("strides", Ints{2}), attr("output_shape", Ints{4})}},
         {"groups_and_bias",
          {f32({1, 2, 1}, {1, 2}), f32({2, 2, 1}, {1, 10, 100, 1000}), f32({4}, {0, 1, 2, 3})},
          {f32({1, 4, 1}, {1, 11, 202, 2003})},
          {attr("group", 2)}},
         {"dilations",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 2}, {1, 10})},
          {f32({1, 1, 4}, {1, 2, 10, 20})},
          {attr("dilations", Ints{2})}});
OP_REJECTS(ConvTranspose, "input channels of x and of the weight", {f32({1, 2, 5}, {0}), f32({3, 1, 2}, {0})});
OP_REJECTS(ConvTranspose, "output_padding holds 2", {f32({1, 1, 5}, {0}), f32({1, 1, 2}, {0})},
           {attr("output_padding", Ints{2})});
OP_REJECTS(ConvTranspose, "leave nothing", {f32({1, 1, 1}, {0}), f32({1, 1, 2}, {0})}, {attr("pads", Ints{2, 2})});
namespace {
std::vector<sdx::Shape> squares(uint32_t r) {
  return {{1 + r % 2, 6, 1 + r * 5 % 11, 1 + r * 3 % 13}, {6, 1 + r % 4, 1 + r % 3, 1 + r % 4}};
}
std::vector<sdx::Shape> threes(uint32_t r) {
  return {{1 + r % 2, 4, 2 + r * 5 % 11, 2 + r * 3 % 13}, {4, 3, 3, 3}, {6}};
}
std::vector<sdx::Shape> cubes(uint32_t r) { return {{1, 2, 2, 3, 4}, {2, 3, 1 + r % 2, 2, 1 + r % 3}, {3}}; }
std::vector<sdx::Shape> pairs(uint32_t r) {  // of elements of a kernel that meet neighbouring outputs
  return {{1, 3, 2 + r % 3, 2 + r * 7 % 45}, {3, 2, 1 + r % 3, 3 + r % 4}, {2}};
}
std::vector<sdx::Shape> apart(uint32_t r) {  // long enough for a product in several parts
  const int64_t depth = r % 4 == 3 ? 700 : 2 + r * 7 % 23;
  return {
      {1 + r % 2, 2 * depth, 1 + r * 5 % 11, 1 + r * 13 % 61}, {2 * depth, 1 + r * 3 % 17, 2, 2}, {2 + r * 3 % 17 * 2}};
}
std::vector<sdx::Shape> uneven_apart(uint32_t r) {
  return {{1, 3, 1 + r % 3, 1 + r * 5 % 11, 1 + r * 3 % 31}, {3, 1 + r % 9, 2, 1, 3}};
}
}  // namespace
OP_SWEEP(ConvTranspose, .inputs = 3, .attributes = {attr("strides", Ints{2, 2}), attr("group", 2)},
         .special_values = false, .shapes = apart);
OP_SWEEP(ConvTranspose, .inputs = 2, .attributes = {attr("strides", Ints{2, 1, 3})}, .special_values = false,
         .shapes = uneven_apart);
OP_SWEEP(ConvTranspose, .inputs = 2, .types = {DType::f32, DType::f16}, .special_values = false, .shapes = squares);
OP_SWEEP(ConvTranspose, .inputs = 3,
         .attributes = {attr("strides", Ints{2, 3}), attr("pads", Ints{1, 0, 1, 2}), attr("output_padding", Ints{1, 2}),
                        attr("group", 2)},
         .special_values = false, .shapes = threes);
OP_SWEEP(ConvTranspose, .inputs = 3, .attributes = {attr("strides", Ints{2, 1, 2})}, .special_values = false,
         .shapes = cubes);
OP_SWEEP(ConvTranspose, .inputs = 3,
         .attributes = {attr("strides", Ints{1, 2}), attr("pads", Ints{0, 1, 0, 2}),
                        attr("output_padding", Ints{0, 1})},
         .special_values = false, .shapes = pairs);
