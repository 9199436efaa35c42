#include "ops/testing/op_case.h"

namespace {
using Ints = std::vector<int64_t>;
}
OP_CASES(MaxUnpool,
         {"inferred_shape",
          {f32({1, 1, 2, 2}, {1, 2, 3, 4}), i64({1, 1, 2, 2}, {5, 7, 13, 15})},
          {f32({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4})},
          {attr("kernel_shape", Ints{2, 2}), attr("strides", Ints{2, 2})}},
         {"larger_output_shape",
          {f32({1, 1, 1}, {7}), i64({1, 1, 1}, {1}), i64({3}, {1, 1, 3})},
          {f32({1, 1, 3}, {0, 7, 0})},
          {attr("kernel_shape", Ints{2})}});
OP_REJECTS(MaxUnpool, "I[0] is 2, outside [0, 2)", {f32({1, 1, 1}, {7}), i64({1, 1, 1}, {2})},
           {attr("kernel_shape", Ints{2})});
OP_REJECTS(MaxUnpool, "output_shape[2] is 1, less than",
           {f32({1, 1, 1}, {7}), i64({1, 1, 1}, {0}), i64({3}, {1, 1, 1})}, {attr("kernel_shape", Ints{2})});
OP_CASES(MaxRoiPool,
         {"whole_image_in_quarters",
          {f32({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}), f32({1, 5}, {0, 0, 0, 3, 3})},
          {f32({1, 1, 2, 2}, {6, 8, 14, 16})},
          {attr("pooled_shape", Ints{2, 2})}},
         {"outside_is_zero",
          {f32({1, 1, 1, 2}, {-1, -2}), f32({1, 5}, {0, 5, 0, 6, 0})},
          {f32({1, 1, 1, 1}, {0})},
          {attr("pooled_shape", Ints{1, 1})}});
OP_REJECTS(MaxRoiPool, "names batch 1", {f32({1, 1, 1, 2}, {0}), f32({1, 5}, {1, 0, 0, 0, 0})},
           {attr("pooled_shape", Ints{1, 1})});
namespace {

std::vector<sdx::Shape> images(uint32_t round) {
  return {sdx::Shape{2, 1 + static_cast<int64_t>(round % 3), 1 + static_cast<int64_t>(round * 5 % 19),
                     1 + static_cast<int64_t>(round * 7 % 37)}};
}
sdx::Value four_regions() {
  return sdx::ops::testing::f32({4, 4}, {0.3, 0.1, 12.7, 8.2, 2, 3, 2.5, 4, -4, -2, 40, 30, 7, 1, 9.5, 20.25});
}

}  // namespace
OP_CASES(
    RoiAlign,
    {"average_of_one_sample",
     {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({1, 4}, {0, 0, 2, 2}), i64({1}, {0})},
     {f32({1, 1, 1, 1}, {2.5})},
     {attr("sampling_ratio", 1)}},
    {"unshifted_coordinates",
     {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({1, 4}, {0, 0, 2, 2}), i64({1}, {0})},
     {f32({1, 1, 1, 1}, {4})},
     {attr("sampling_ratio", 1), attr("coordinate_transformation_mode", "output_half_pixel")}},
    {"max_takes_weighted_corners",
     {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({1, 4}, {0, 0, 2, 2}), i64({1}, {0})},
     {f32({1, 1, 1, 1}, {1})},
     {attr("sampling_ratio", 1), attr("mode", "max")}},
    {"samples_outside_are_zero",
     {f32({2, 1, 1, 2}, {kNaN, 9, 4, 8}), f32({2, 4}, {-8, 0, -4, 1, 1, 0, 5, 1}), i64({2}, {0, 1})},
     {f32({2, 1, 1, 2}, {0, 0, 8, 0})},
     {attr("sampling_ratio", 1), attr("output_width", 2)}},
    {"samples_outside_are_zero_among_others",
     {f32({1, 1, 2, 2}, {-4}), f32({1, 4}, {-4.25, 0.75, 2.75, 1.25}), i64({1}, {0})},
     {f32({1, 1, 1, 1}, {0})},
     {attr("sampling_ratio", 2), attr("mode", "max")}},
    {"samples_by_the_size_of_a_bin",
     {f32({1, 2, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 1, 1, 1, 1}), f32({1, 4}, {0, 0, 4, 2}), i64({1}, {0})},
     {f32({1, 2, 1, 2}, {3.5, 5.5, 0.5, 0.5})},
     {attr("output_width", 2)}},
    {"empty_region", {f32({1, 1, 1, 2}, {1, 2}), f32({1, 4}, {1, 0, 0, 0}), i64({1}, {0})}, {f32({1, 1, 1, 1}, {0})}},
    {"no_regions", {f32({1, 3, 2, 2}, {0}), f32({0, 4}, {}), i64({0}, {})}, {f32({0, 3, 1, 1}, {})}});
OP_SWEEP(RoiAlign, .inputs = 1, .attributes = {attr("output_height", 3), attr("output_width", 5)},
         .special_values = false, .shapes = images, .fixed_inputs = {four_regions(), i64({4}, {0, 1, 1, 0})});
OP_SWEEP(RoiAlign, .inputs = 1,
         .attributes = {attr("output_width", 2), attr("sampling_ratio", 3), attr("spatial_scale", 0.5f),
                        attr("coordinate_transformation_mode", "output_half_pixel")},
         .special_values = false, .shapes = images, .fixed_inputs = {four_regions(), i64({4}, {0, 1, 1, 0})});
OP_SWEEP(RoiAlign, .inputs = 1, .attributes = {attr("output_height", 3), attr("mode", "max")}, .special_values = false,
         .shapes = images, .fixed_inputs = {four_regions(), i64({4}, {0, 1, 1, 0})});
OP_REJECTS(RoiAlign, "batch_indices[0] is 3", {f32({1, 1, 2, 2}, {0}), f32({1, 4}, {0}), i64({1}, {3})});
OP_REJECTS(RoiAlign, "mode is \"min\"", {f32({1, 1, 2, 2}, {0}), f32({1, 4}, {0}), i64({1}, {0})},
           {attr("mode", "min")});

namespace {
std::vector<::sdx::Shape> roi_images(uint32_t round) {
  return {::sdx::Shape{1, 1 + round * 7 % 40, 1 + round % 9, 1 + round * 5 % 12}};
}
}  // namespace
OP_SWEEP(MaxRoiPool, .attributes = {attr("pooled_shape", std::vector<int64_t>{3, 2}), attr("spatial_scale", 0.5F)},
         .shapes = roi_images, .fixed_inputs = {f32({3, 5}, {0, 1, 2, 9, 20, 0, -7, 3, 40, 3, 0, 15, 0, 15.5, 8})});
