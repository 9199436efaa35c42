#include "ops/testing/op_case.h"

OP_CASES(GridSample,
         {"nearest_zeros_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 0.0, 0.0, 7.0, 0.0})},
          {attr("mode", "nearest"), attr("padding_mode", "zeros"), attr("align_corners", 0)}},
         {"nearest_zeros_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 0.0, 0.0, 7.0, 12.0})},
          {attr("mode", "nearest"), attr("padding_mode", "zeros"), attr("align_corners", 1)}},
         {"nearest_border_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 4.0, 9.0, 7.0, 12.0})},
          {attr("mode", "nearest"), attr("padding_mode", "border"), attr("align_corners", 0)}},
         {"nearest_border_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 8.0, 9.0, 7.0, 12.0})},
          {attr("mode", "nearest"), attr("padding_mode", "border"), attr("align_corners", 1)}},
         {"nearest_reflection_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 4.0, 12.0, 7.0, 12.0})},
          {attr("mode", "nearest"), attr("padding_mode", "reflection"), attr("align_corners", 0)}},
         {"nearest_reflection_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.0, 7.0, 11.0, 7.0, 12.0})},
          {attr("mode", "nearest"), attr("padding_mode", "reflection"), attr("align_corners", 1)}},
         {"volume_nearest",
          {f32({1, 1, 2, 2, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}),
           f32({1, 1, 1, 2, 3}, {-0.5, 0.25, 0.75, 1.2000000476837158, -1.399999976158142, 0.10000000149011612})},
          {f32({1, 1, 1, 1, 2}, {7.0, 6.0})},
          {attr("mode", "nearest"), attr("padding_mode", "border")}},
         {"linear_zeros_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {0.25, 8.600000381469727, 0.0, 0.0, 6.5, 3.0})},
          {attr("mode", "linear"), attr("padding_mode", "zeros"), attr("align_corners", 0)}},
         {"linear_zeros_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.949999809265137, 1.600000023841858, 0.0, 6.5, 12.0})},
          {attr("mode", "linear"), attr("padding_mode", "zeros"), attr("align_corners", 1)}},
         {"linear_border_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 8.600000381469727, 5.600000381469727, 9.0, 6.5, 12.0})},
          {attr("mode", "linear"), attr("padding_mode", "border"), attr("align_corners", 0)}},
         {"linear_border_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.949999809265137, 6.400000095367432, 8.59999942779541, 6.5, 12.0})},
          {attr("mode", "linear"), attr("padding_mode", "border"), attr("align_corners", 1)}},
         {"linear_reflection_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 8.600000381469727, 5.100000381469727, 11.699999809265137, 6.5, 12.0})},
          {attr("mode", "linear"), attr("padding_mode", "reflection"), attr("align_corners", 0)}},
         {"linear_reflection_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 7.949999809265137, 5.65000057220459, 10.999999046325684, 6.5, 12.0})},
          {attr("mode", "linear"), attr("padding_mode", "reflection"), attr("align_corners", 1)}},
         {"volume_linear",
          {f32({1, 1, 2, 2, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}),
           f32({1, 1, 1, 2, 3}, {-0.5, 0.25, 0.75, 1.2000000476837158, -1.399999976158142, 0.10000000149011612})},
          {f32({1, 1, 1, 1, 2}, {6.5, 4.400000095367432})},
          {attr("mode", "linear"), attr("padding_mode", "border")}},
         {"cubic_zeros_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {0.015625, 9.830153465270996, -0.5339999794960022, 0.0, 6.5, 3.234375})},
          {attr("mode", "cubic"), attr("padding_mode", "zeros"), attr("align_corners", 0)}},
         {"cubic_zeros_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 8.640955924987793, 1.4659374952316284, 0.0, 6.5, 12.0})},
          {attr("mode", "cubic"), attr("padding_mode", "zeros"), attr("align_corners", 1)}},
         {"cubic_border_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {0.53125, 9.023609407365324, 5.263999968886353, 9.443625003486877, 6.5, 12.46875})},
          {attr("mode", "cubic"), attr("padding_mode", "border"), attr("align_corners", 0)}},
         {"cubic_border_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 8.256750024273995, 6.051156225681299, 8.698999927759173, 6.5, 12.0})},
          {attr("mode", "cubic"), attr("padding_mode", "border"), attr("align_corners", 1)}},
         {"cubic_reflection_0",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {0.0625, 9.023609161376953, 4.857748985290527, 12.45075511932373, 6.5, 12.9375})},
          {attr("mode", "cubic"), attr("padding_mode", "reflection"), attr("align_corners", 0)}},
         {"cubic_reflection_1",
          {f32({1, 1, 3, 4}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0}),
           f32({1, 2, 3, 2}, {-1.0, -1.0, 0.30000001192092896, 0.25, 1.5, -0.4000000059604645, -2.5999999046325684,
                              0.8999999761581421, 0.0, 0.0, 1.0, 1.0})},
          {f32({1, 1, 2, 3}, {1.0, 8.397371292114258, 5.095185279846191, 11.510004997253418, 6.5, 12.0})},
          {attr("mode", "cubic"), attr("padding_mode", "reflection"), attr("align_corners", 1)}},
         {"volume_cubic",
          {f32({1, 1, 2, 2, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}),
           f32({1, 1, 1, 2, 3}, {-0.5, 0.25, 0.75, 1.2000000476837158, -1.399999976158142, 0.10000000149011612})},
          {f32({1, 1, 1, 1, 2}, {6.96875, 4.481749988734716})},
          {attr("mode", "cubic"), attr("padding_mode", "border")}});
OP_CASES(GridSample,
         {"strings",
          {str({1, 1, 1, 2}, {"a", "b"}), f32({1, 1, 2, 2}, {0.5, 0, 9, 0})},
          {str({1, 1, 1, 2}, {"b", ""})},
          {attr("mode", "nearest")}},
         // (-0.2f + 1) * 5 is 4 in single precision, so the position is 1.5, whose even neighbour is 2.
         {"nearest_rounds_in_single_precision",
          {f32({1, 1, 1, 5}, {1, 2, 3, 4, 5}), f32({1, 1, 1, 2}, {-0.2, 0})},
          {f32({1, 1, 1, 1}, {3})},
          {attr("mode", "nearest")}},
         {"nearest_rounds_in_double_precision",
          {f32({1, 1, 1, 5}, {1, 2, 3, 4, 5}), f64({1, 1, 1, 2}, {-0.2000000029802322, 0})},
          {f32({1, 1, 1, 1}, {2})},
          {attr("mode", "nearest")}},
         {"linear_booleans",
          {boolean({1, 1, 1, 4}, {1, 0, 0, 0}), f32({1, 1, 2, 2}, {-0.5, 0, 0.5, 0})},
          {boolean({1, 1, 1, 2}, {1, 0})},
          {attr("align_corners", 0)}},
         {"nan", {f32({1, 1, 1, 2}, {1, 2}), f32({1, 1, 1, 2}, {kNaN, kInf})}, {f32({1, 1, 1, 1}, {0})}});
OP_REJECTS(GridSample, "for 2 dimensions", {f32({1, 1, 1, 2}, {0}), f32({1, 1, 2, 3}, {0})});
OP_REJECTS(GridSample, "mode is", {f32({1, 1, 1, 2}, {0}), f32({1, 1, 2, 2}, {0})}, {attr("mode", "bilinear")});

// Computed with numpy from the cubic weights, each of the 4x4 places moved to the border by itself.
OP_CASES(GridSample, {"cubic_beyond_the_border",
                      {f32({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}),
                       f32({1, 1, 4, 2}, {-1.125, 0.25, 1.125, -1.125, 0.125, 1.25, 0, 0})},
                      {f32({1, 1, 1, 4}, {8.96484375, 3.89453125, 14.703125, 8.5})},
                      {attr("mode", "cubic"), attr("padding_mode", "border")}});

namespace {

// Few channels and many, fewer points than elements and more.
std::vector<sdx::Shape> images(uint32_t round) {
  const int64_t channels = round % 3 == 0 ? 1 + round % 4 : 5 + round % 29, batch = 1 + round % 2;
  const int64_t height = 1 + round % 7, width = 1 + round * 5 % 11, rows = 1 + round % 5, columns = 1 + round * 7 % 40;
  return {sdx::Shape{batch, channels, height, width}, sdx::Shape{batch, rows, columns, 2}};
}

std::vector<sdx::Shape> volumes(uint32_t round) {
  const int64_t channels = round % 2 == 0 ? 2 : 9 + round % 10;
  return {sdx::Shape{1, channels, 1 + round % 4, 1 + round % 3, 1 + round % 5}, sdx::Shape{1, 3, 5, 1 + round % 9, 3}};
}

std::vector<sdx::Shape> lines(uint32_t round) {
  return {sdx::Shape{2, 1 + round % 18, 1 + round % 9}, sdx::Shape{2, 1 + round % 70, 1}};
}

}  // namespace

// Sums of the greatest floats may pass through infinity in mode cubic.
#define SWEEP_IMAGES(special, ...)                                                                                    \
  OP_SWEEP(GridSample, .inputs = 2, .attributes = {__VA_ARGS__}, .low = -1.6, .high = 1.6, .special_values = special, \
           .shapes = images)
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "zeros"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "zeros"), attr("align_corners", 1));
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "border"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "border"), attr("align_corners", 1));
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "reflection"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "linear"), attr("padding_mode", "reflection"), attr("align_corners", 1));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "zeros"), attr("align_corners", 0));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "zeros"), attr("align_corners", 1));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "border"), attr("align_corners", 0));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "border"), attr("align_corners", 1));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "reflection"), attr("align_corners", 0));
SWEEP_IMAGES(false, attr("mode", "cubic"), attr("padding_mode", "reflection"), attr("align_corners", 1));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "zeros"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "zeros"), attr("align_corners", 1));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "border"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "border"), attr("align_corners", 1));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "reflection"), attr("align_corners", 0));
SWEEP_IMAGES(true, attr("mode", "nearest"), attr("padding_mode", "reflection"), attr("align_corners", 1));
OP_SWEEP(GridSample, .inputs = 2, .shapes = volumes);
OP_SWEEP(GridSample, .inputs = 2, .attributes = {attr("mode", "cubic"), attr("padding_mode", "reflection")},
         .special_values = false, .shapes = volumes);
OP_SWEEP(GridSample, .inputs = 2, .attributes = {attr("padding_mode", "border")}, .shapes = lines);
OP_SWEEP(GridSample, .inputs = 2, .types = {sdx::DType::f16, sdx::DType::bf16}, .attributes = {attr("mode", "cubic")},
         .low = -1.5, .high = 1.5, .special_values = false, .shapes = images);
OP_SWEEP(GridSample, .inputs = 2, .types = {sdx::DType::f16, sdx::DType::f64}, .attributes = {attr("mode", "nearest")},
         .low = -1.5, .high = 1.5, .shapes = images);
