#include "ops/testing/op_case.h"

OP_CASES(Conv, {"one_axis", {f32({1, 1, 4}, {1, 2, 3, 4}), f32({1, 1, 2}, {1, 10})}, {f32({1, 1, 3}, {21, 32, 43})}},
         {"padded_square",
          {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({1, 1, 3, 3}, {1})},
          {f32({1, 1, 2, 2}, {10})},
          {attr("pads", std::vector<int64_t>{1, 1, 1, 1})}},
         {"pads_on_one_side",
          {f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 2}, {1, 10})},
          {f32({1, 1, 4}, {0, 10, 21, 32})},
          {attr("pads", std::vector<int64_t>{2, 0})}},
         {"stride_and_dilation",
          {f32({1, 1, 7}, {1, 2, 3, 4, 5, 6, 7}), f32({1, 1, 2}, {1, 10})},
          {f32({1, 1, 2}, {41, 63})},
          {attr("strides", std::vector<int64_t>{2}), attr("dilations", std::vector<int64_t>{3})}},
         {"same_upper_pads_the_end",
          {f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 2}, {1, 10})},
          {f32({1, 1, 3}, {21, 32, 3})},
          {attr("auto_pad", "SAME_UPPER")}},
         {"same_lower_pads_the_start",
          {f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 2}, {1, 10})},
          {f32({1, 1, 3}, {10, 21, 32})},
          {attr("auto_pad", "SAME_LOWER")}},
         {"groups_and_bias",
          {f32({1, 2, 2}, {1, 2, 3, 4}), f32({4, 1, 1}, {1, 10, 1, 10}), f32({4}, {0, 1, 2, 3})},
          {f32({1, 4, 2}, {1, 2, 11, 21, 5, 6, 33, 43})},
          {attr("group", 2)}},
         {"channels_add_up",
          {f32({1, 2, 1, 2}, {1, 2, 3, 4}), f32({1, 2, 1, 1}, {1, 10})},
          {f32({1, 1, 1, 2}, {31, 42})}},
         {"three_axes", {f32({1, 1, 2, 2, 2}, {1}), f32({1, 1, 2, 2, 2}, {0.5})}, {f32({1, 1, 1, 1, 1}, {4})}},
         {"four_axes",
          {f32({1, 1, 1, 2, 1, 2}, {1, 2, 3, 4}), f32({1, 1, 1, 2, 1, 1}, {1, 1})},
          {f32({1, 1, 1, 1, 1, 2}, {4, 6})}},
         {"no_images", {f32({0, 1, 4}, {}), f32({1, 1, 2}, {1})}, {f32({0, 1, 3}, {})}},
         {"float16", {f16({1, 1, 3}, {1, 2, 3}), f16({1, 1, 2}, {0.5, 1})}, {f16({1, 1, 2}, {2.5, 4})}});
OP_REJECTS(Conv, "weight has 3 input channels", {f32({1, 4, 5}, {0}), f32({1, 3, 2}, {0})});
OP_REJECTS(Conv, "groups do not divide", {f32({1, 2, 5}, {0}), f32({3, 1, 2}, {0})}, {attr("group", 2)});
OP_REJECTS(Conv, "the kernel spans 3", {f32({1, 1, 2}, {0}), f32({1, 1, 3}, {0})});
OP_REJECTS(Conv, "strides holds 0", {f32({1, 1, 2}, {0}), f32({1, 1, 1}, {0})},
           {attr("strides", std::vector<int64_t>{0})});
OP_REJECTS(Conv, "pads has 3 entries; 2 are wanted", {f32({1, 1, 2}, {0}), f32({1, 1, 1}, {0})},
           {attr("pads", std::vector<int64_t>{0, 0, 0})});
OP_REJECTS(Conv, "auto_pad is \"SAME\"", {f32({1, 1, 2}, {0}), f32({1, 1, 1}, {0})}, {attr("auto_pad", "SAME")});
OP_REJECTS(Conv, "kernel_shape is [2]", {f32({1, 1, 2}, {0}), f32({1, 1, 1}, {0})},
           {attr("kernel_shape", std::vector<int64_t>{2})});

namespace {
std::vector<sdx::Shape> wide(uint32_t r) {  // channels by weights, square kernels of 1 to 3
  const int64_t kernel = 1 + r % 3, channels = 1 + r * 5 % 19, outputs = 1 + r * 7 % 37;
  return {{1 + r % 2, channels, 3 + r * 11 % 23, 3 + r * 3 % 29}, {outputs, channels, kernel, kernel}, {outputs}};
}
std::vector<sdx::Shape> depthwise(uint32_t r) {
  return {{1 + r % 2, 6, 5 + r * 11 % 23, 5 + r * 3 % 41}, {6, 1, 1 + r % 5, 1 + r % 4}, {6}};
}
std::vector<sdx::Shape> grouped(uint32_t r) {
  return {{1 + r % 2, 6, 3 + r * 11 % 23, 3 + r * 3 % 29}, {9, 2, 1 + r % 3, 1 + r % 2}, {9}};
}
std::vector<sdx::Shape> long_line(uint32_t r) { return {{1, 7, 20 + r * 13}, {5, 7, 3}, {5}}; }
std::vector<sdx::Shape> volume(uint32_t r) {
  return {{1, 3, 3 + r % 4, 3 + r % 5, 3 + r % 7}, {5, 3, 1 + r % 3, 1 + r % 2, 2}, {5}};
}
// At most eight filters: vectors along rows.
std::vector<sdx::Shape> few(uint32_t r) {
  const int64_t filters = 1 + r % 8, depth = 1 + r * 5 % 11, height = 1 + r % 7, width = 2 + r * 3 % 9;
  return {{1 + r % 2, depth, 7 + r * 11 % 23, 17 + r * 29 % 160}, {filters, depth, height, width}, {filters}};
}
std::vector<sdx::Shape> few_in_groups(uint32_t r) {
  const int64_t filters = 1 + r * 3 % 8;
  return {{1 + r % 2, 6, 7 + r * 11 % 23, 17 + r * 29 % 70}, {3 * filters, 2, 1 + r % 3, 2 + r % 2}, {3 * filters}};
}
std::vector<sdx::Shape> few_of_many(uint32_t r) {  // more channels than a copy holds
  return {{1, 300 + r, 9, 33 + r * 7}, {1 + r % 5, 300 + r, 3, 3}, {1 + r % 5}};
}
std::vector<sdx::Shape> long_window(uint32_t r) {
  return {{1 + r % 2, 1 + r % 3, 3000 + r * 77}, {1 + r % 4, 1 + r % 3, 60 + r * 50}, {1 + r % 4}};
}
std::vector<sdx::Shape> few_volumes(uint32_t r) {
  return {{1, 3, 3 + r % 4, 3 + r % 5, 16 + r * 7}, {1 + r % 3, 3, 1 + r % 3, 1 + r % 2, 2}, {1 + r % 3}};
}
// Up to 16 pixels of filters that would leave panels half empty.
std::vector<sdx::Shape> few_pixels(uint32_t r) {
  const int64_t channels = 20 + r * 5 % 41, filters = 1 + r * 7 % 23;
  return {{1 + r % 5, channels, 3 + r % 11}, {filters, channels, 1 + r % 3}, {filters}};
}
std::vector<sdx::Shape> few_square_pixels(uint32_t r) {
  const int64_t channels = 20 + r * 5 % 41, filters = 1 + r * 7 % 23;
  return {{1 + r % 3, channels, 3 + r % 3, 3 + r % 4}, {filters, channels, 1 + r % 3, 3}, {filters}};
}
const std::vector<int64_t> kOnes4{1, 1, 1, 1}, kUneven{0, 2, 1, 1}, kTwos{2, 2}, kTwo{2};
}  // namespace
OP_SWEEP(Conv, .inputs = 3, .types = {DType::f32, DType::f16, DType::bf16, DType::f64}, .special_values = false,
         .shapes = wide);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("pads", kOnes4), attr("strides", kTwos)}, .special_values = false,
         .shapes = wide);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_LOWER"), attr("dilations", kTwos)},
         .special_values = false, .shapes = wide);
OP_SWEEP(Conv, .inputs = 3, .types = {DType::f32, DType::f16}, .attributes = {attr("group", 6)},
         .special_values = false, .shapes = depthwise);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("group", 6), attr("pads", kUneven), attr("strides", kTwos)},
         .special_values = false, .shapes = depthwise);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("group", 6), attr("auto_pad", "SAME_UPPER"), attr("dilations", kTwos)},
         .special_values = false, .shapes = depthwise);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("group", 3), attr("pads", kUneven)}, .special_values = false,
         .shapes = grouped);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("strides", std::vector<int64_t>{3})}, .special_values = false,
         .shapes = long_line);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_UPPER")}, .special_values = false, .shapes = volume);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("pads", kUneven)}, .special_values = false, .shapes = few);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("pads", kOnes4), attr("strides", std::vector<int64_t>{2, 3})},
         .special_values = false, .shapes = few);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_UPPER"), attr("dilations", kTwos)},
         .special_values = false, .shapes = few);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("group", 3), attr("pads", kUneven), attr("strides", kTwos)},
         .special_values = false, .shapes = few_in_groups);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("pads", kOnes4)}, .special_values = false, .shapes = few_of_many);
OP_SWEEP(Conv, .inputs = 2, .attributes = {attr("strides", std::vector<int64_t>{2})}, .special_values = false,
         .shapes = long_window);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_UPPER")}, .special_values = false,
         .shapes = few_volumes);
OP_SWEEP(Conv, .inputs = 2, .special_values = false, .shapes = few_pixels);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("strides", kTwo), attr("pads", std::vector<int64_t>{1, 2})},
         .special_values = false, .shapes = few_pixels);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("dilations", kTwo), attr("pads", std::vector<int64_t>{2, 1})},
         .special_values = false, .shapes = few_pixels);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("pads", kUneven)}, .special_values = false,
         .shapes = few_square_pixels);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("auto_pad", "SAME_UPPER"), attr("strides", kTwos)},
         .special_values = false, .shapes = few_square_pixels);

namespace {

// Pictures cut into patches, with and without a rest.
std::vector<sdx::Shape> patches(uint32_t round) {
  const int64_t filters = round % 2 == 0 ? 32 : 35;
  return {sdx::Shape{1 + round % 2, 1 + round % 3, 8 + round % 20, 9 + round * 5 % 70},
          sdx::Shape{filters, 1 + round % 3, 8, 9}, sdx::Shape{filters}};
}
std::vector<sdx::Shape> line_patches(uint32_t round) {
  return {sdx::Shape{1 + round % 3, 5, 64 + round * 7 % 300}, sdx::Shape{48, 5, 64}, sdx::Shape{48}};
}
std::vector<sdx::Shape> volume_patches(uint32_t round) {
  return {sdx::Shape{1, 2, 2 + round % 5, 4 + round % 9, 8 + round * 5 % 30}, sdx::Shape{64, 2, 2, 4, 8},
          sdx::Shape{64}};
}

}  // namespace

OP_SWEEP(Conv, .inputs = 3, .types = {DType::f32, DType::f16},
         .attributes = {attr("strides", std::vector<int64_t>{8, 9})}, .special_values = false, .shapes = patches);
OP_SWEEP(Conv, .inputs = 3,
         .attributes = {attr("strides", std::vector<int64_t>{8, 9}), attr("pads", std::vector<int64_t>{0, 0, 7, 7})},
         .special_values = false, .shapes = patches);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("strides", std::vector<int64_t>{64})}, .special_values = false,
         .shapes = line_patches);
OP_SWEEP(Conv, .inputs = 3, .attributes = {attr("strides", std::vector<int64_t>{2, 4, 8})}, .special_values = false,
         .shapes = volume_patches);
