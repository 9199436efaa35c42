#include "ops/testing/op_case.h"

OP_CASES(NonMaxSuppression,
         {"overlaps",
          {f32({1, 6, 4},
               {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, -0.1, 1, 0.9, 0, 10, 1, 11, 0, 10.1, 1, 11.1, 0, 100, 1, 101}),
           f32({1, 1, 6}, {0.9, 0.75, 0.6, 0.95, 0.5, 0.3}), i64({1}, {3}), f32({1}, {0.5}), f32({1}, {0})},
          {i64({3, 3}, {0, 0, 3, 0, 0, 0, 0, 0, 5})}},
         {"no_limit_given", {f32({1, 1, 4}, {0, 0, 1, 1}), f32({1, 1, 1}, {0.9})}, {i64({0, 3}, {})}},
         {"center",
          {f32({1, 2, 4}, {0.5, 0.5, 1, 1, 0.5, 0.6, 1, 1}), f32({1, 1, 2}, {0.9, 0.75}), i64(3), f32(0.5), f32(0)},
          {i64({1, 3}, {0, 0, 0})},
          {attr("center_point_box", 1)}});
OP_REJECTS(NonMaxSuppression, "outside [0, 1]", {f32({1, 1, 4}, {0, 0, 1, 1}), f32({1, 1, 1}, {0.9}), i64(1), f32(2)});
OP_REJECTS(NonMaxSuppression, "4 are wanted", {f32({1, 1, 3}, {0, 0, 1}), f32({1, 1, 1}, {0.9})});
OP_REJECTS(NonMaxSuppression, "outside [0, 1]",
           {f32({1, 1, 4}, {0, 0, 1, 1}), f32({1, 1, 1}, {0.9}), i64(1), f32(kNaN)});
// Equal scores: the lower index first. Scores that are NaN are none; infinite ones are the highest.
OP_CASES(NonMaxSuppression,
         {"scores",
          {f32({1, 5, 4}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9}),
           f32({1, 1, 5}, {0.5, kNaN, 0.5, kInf, -1}), i64(9), f32(0.5)},
          {i64({4, 3}, {0, 0, 3, 0, 0, 0, 0, 0, 2, 0, 0, 4})}},
         {"above_the_least",
          {f32({1, 3, 4}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}), f32({1, 1, 3}, {0.25, 0.5, 0.75}), i64(9), f32(0.5),
           f32(0.5)},
          {i64({1, 3}, {0, 0, 2})}},
         // Intersection over union is exactly a half: not above.
         {"at_the_threshold",
          {f32({1, 2, 4}, {0, 0, 1, 2, 0, 0, 1, 1}), f32({1, 1, 2}, {0.9, 0.8}), i64(9), f32(0.5)},
          {i64({2, 3}, {0, 0, 0, 0, 0, 1})}},
         {"classes_and_batches",
          {f32({2, 2, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 3, 3, 4, 4}),
           f32({2, 2, 2}, {0.9, 0.8, 0.1, 0.2, 0.3, 0.4, 0.6, 0.5}), i64(9), f32(0.5)},
          {i64({6, 3}, {0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1})}},
         {"no_boxes", {f32({1, 0, 4}, {}), f32({1, 2, 0}, {}), i64(9)}, {i64({0, 3}, {})}});
OP_SWEEP(
    NonMaxSuppression, .inputs = 2,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      const int64_t batches = 1 + round % 2, classes = 1 + round % 3, boxes = round % 2 == 0 ? round % 40 : 40 * round;
      return {sdx::Shape{batches, boxes, 4}, sdx::Shape{batches, classes, boxes}};
    },
    .fixed_inputs = {i64(70), f32(0.2)});
OP_SWEEP(
    NonMaxSuppression, .inputs = 2, .attributes = {attr("center_point_box", 1)}, .low = 0, .high = 30,
    .special_values = false,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1, 1 + 33 * round, 4}, sdx::Shape{1, 2, 1 + 33 * round}};
    },
    .fixed_inputs = {i64(200), f32(0.0), f32(3)});
