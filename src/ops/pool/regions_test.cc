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
OP_CASES(RoiAlign,
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
         {"no_regions", {f32({1, 3, 2, 2}, {0}), f32({0, 4}, {}), i64({0}, {})}, {f32({0, 3, 1, 1}, {})}});
OP_REJECTS(RoiAlign, "batch_indices[0] is 3", {f32({1, 1, 2, 2}, {0}), f32({1, 4}, {0}), i64({1}, {3})});
OP_REJECTS(RoiAlign, "mode is \"min\"", {f32({1, 1, 2, 2}, {0}), f32({1, 4}, {0}), i64({1}, {0})},
           {attr("mode", "min")});
