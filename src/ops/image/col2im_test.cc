#include "ops/testing/op_case.h"

OP_CASES(Col2Im,
         {"booleans",
          {boolean({1, 4, 2}, {1, 0, 0, 0, 0, 0, 1, 1}), i64({2}, {2, 3}), i64({2}, {2, 2})},
          {boolean({1, 1, 2, 3}, {1, 0, 0, 0, 1, 1})}},
         {"sums",
          {f32({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), i64({2}, {2, 3}), i64({2}, {2, 2})},
          {f32({1, 1, 2, 3}, {1, 5, 4, 5, 13, 8})}},
         {"pads",
          {f32({1, 1, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), i64({2}, {1, 1}), i64({2}, {1, 1})},
          {f32({1, 1, 1, 1}, {5})},
          {attr("pads", std::vector<int64_t>{1, 1, 1, 1})}});
OP_REJECTS(Col2Im, "fit the image", {f32({1, 4, 3}, {0}), i64({2}, {2, 3}), i64({2}, {2, 2})});
OP_REJECTS(Col2Im, "no multiple", {f32({1, 3, 2}, {0}), i64({2}, {2, 3}), i64({2}, {2, 2})});

namespace {

// As many columns as windows fit an image of 9 x 40.
template <int64_t kColumns, int64_t kBlock>
std::vector<sdx::Shape> columns(uint32_t round) {
  return {sdx::Shape{1 + round % 3, kBlock * (1 + round % 4), kColumns}};
}

std::vector<int64_t> all(int64_t value, size_t count) { return std::vector<int64_t>(count, value); }

}  // namespace

#define SWEEP_COL2IM(columns_, block_, image, block, ...)                                                   \
  OP_SWEEP(Col2Im, .types = {DType::f32, DType::f16}, .attributes = {__VA_ARGS__}, .special_values = false, \
           .shapes = columns<columns_, block_>, .fixed_inputs = {image, block})
SWEEP_COL2IM(9 * 40, 9, i64({2}, {9, 40}), i64({2}, {3, 3}), attr("pads", all(1, 4)));
SWEEP_COL2IM(4 * 20, 9, i64({2}, {9, 40}), i64({2}, {3, 3}), attr("strides", all(2, 2)),
             attr("pads", std::vector<int64_t>{0, 1, 0, 1}));
SWEEP_COL2IM(4 * 20, 16, i64({2}, {9, 40}), i64({2}, {4, 4}), attr("strides", all(2, 2)), attr("pads", all(1, 4)));
SWEEP_COL2IM(3 * 13, 35, i64({2}, {9, 40}), i64({2}, {5, 7}), attr("strides", all(3, 2)), attr("pads", all(2, 4)));
SWEEP_COL2IM(2 * 10, 16, i64({2}, {9, 40}), i64({2}, {4, 4}), attr("strides", all(4, 2)));
SWEEP_COL2IM(2 * 8, 6, i64({2}, {9, 40}), i64({2}, {2, 3}), attr("strides", all(5, 2)));
SWEEP_COL2IM(5 * 36, 9, i64({2}, {9, 40}), i64({2}, {3, 3}), attr("dilations", all(2, 2)));
SWEEP_COL2IM(50, 8, i64({1}, {204}), i64({1}, {8}), attr("strides", all(4, 1)));
SWEEP_COL2IM(2 * 3 * 20, 8, i64({3}, {3, 4, 40}), i64({3}, {2, 2, 2}), attr("strides", std::vector<int64_t>{1, 1, 2}));
