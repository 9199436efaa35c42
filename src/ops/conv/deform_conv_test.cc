#include "ops/testing/op_case.h"

OP_CASES(DeformConv,
         {"no_offset_is_a_convolution",
          {f32({1, 1, 3}, {1, 2, 3}), f32({1, 1, 2}, {1, 10}), f32({1, 2, 2}, {0})},
          {f32({1, 1, 2}, {21, 32})}},
         {"half_way_between",
          {f32({1, 1, 1, 3}, {1, 2, 3}), f32({1, 1, 1, 1}, {1}), f32({1, 2, 1, 3}, {0, 0, 0, 0.5, 0.5, 0.5})},
          {f32({1, 1, 1, 3}, {1.5, 2.5, 1.5})}},
         {"mask_and_bias",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {10}), f32({1, 1, 2}, {0}), f32({1}, {1}), f32({1, 1, 2}, {0.5, 2})},
          {f32({1, 1, 2}, {6, 41})}},
         {"far_away_is_zero",
          {f32({1, 1, 2}, {1, 2}), f32({1, 1, 1}, {10}), f32({1, 1, 2}, {-9, kNaN})},
          {f32({1, 1, 2}, {0, 0})}});
OP_REJECTS(DeformConv, "channels of offset", {f32({1, 1, 3}, {0}), f32({1, 1, 2}, {0}), f32({1, 3, 2}, {0})});

namespace {

struct Sizes {
  int64_t channels, groups, outputs, offset_groups, kernel;
};

// x, weights, offsets, bias, mask.
std::vector<sdx::Shape> images(const Sizes& s, uint32_t round) {
  const int64_t batch = 1 + round % 2, height = s.kernel + round % 6, width = s.kernel + round * 5 % 23;
  const int64_t rows = height - s.kernel + 1, columns = width - s.kernel + 1, taps = s.kernel * s.kernel;
  return {sdx::Shape{batch, s.channels, height, width},
          sdx::Shape{s.outputs, s.channels / s.groups, s.kernel, s.kernel},
          sdx::Shape{batch, s.offset_groups * taps * 2, rows, columns}, sdx::Shape{s.outputs},
          sdx::Shape{batch, s.offset_groups * taps, rows, columns}};
}

}  // namespace

OP_SWEEP(
    DeformConv, .inputs = 5, .low = -2, .high = 2, .special_values = false, .shapes = [](uint32_t round) {
      return images({3 + round % 20, 1, 1 + round % 40, 1, 1 + round % 3}, round);
    });
OP_SWEEP(
    DeformConv, .inputs = 5, .attributes = {attr("group", 2), attr("offset_group", 3)}, .low = -2, .high = 2,
    .special_values = false, .shapes = [](uint32_t round) {
      return images({12, 2, 6, 3, 2}, round);
    });
OP_SWEEP(
    DeformConv, .inputs = 5, .attributes = {attr("group", 3), attr("offset_group", 2)}, .low = -2, .high = 2,
    .special_values = false, .shapes = [](uint32_t round) {
      return images({6, 3, 3, 2, 3}, round);
    });
OP_SWEEP(
    DeformConv, .inputs = 3, .types = {sdx::DType::f32, sdx::DType::f16}, .low = -2, .high = 2, .special_values = false,
    .shapes = [](uint32_t round) {
      auto shapes = images({5, 1, 4, 1, 3}, round);
      shapes.resize(3);
      return shapes;
    });
