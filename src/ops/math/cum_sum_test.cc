#include "ops/testing/op_case.h"

OP_CASES(CumSum, {"plain", {f64({5}, {1, 2, 3, 4, 5}), i32({}, {0})}, {f64({5}, {1, 3, 6, 10, 15})}},
         {"exclusive", {f32({3}, {1, 2, 3}), i64(0)}, {f32({3}, {0, 1, 3})}, {attr("exclusive", 1)}},
         {"reverse", {f32({3}, {1, 2, 3}), i64(0)}, {f32({3}, {6, 5, 3})}, {attr("reverse", 1)}},
         {"both", {i64({3}, {1, 2, 3}), i64(-1)}, {i64({3}, {5, 3, 0})}, {attr("reverse", 1), attr("exclusive", 1)}},
         {"columns", {f32({2, 2}, {1, 2, 3, 4}), i64(0)}, {f32({2, 2}, {1, 2, 4, 6})}});
OP_REJECTS(CumSum, "outside", {f32({2}, {0}), i64(1)});
OP_CASES(CumSum, {"wraps", {i32({3}, {2147483647, 1, 1}), i64(0)}, {i32({3}, {2147483647, -2147483648, -2147483647})}},
         {"nan_stays", {f32({4}, {1, kNaN, 2, kInf}), i64(0)}, {f32({4}, {1, kNaN, kNaN, kNaN})}},
         {"infinities",
          {f32({3, 2}, {1, -kInf, kInf, 1, -kInf, kInf}), i64(0)},
          {f32({3, 2}, {1, -kInf, kInf, -kInf, kNaN, kNaN})}},
         {"columns_from_the_end",
          {i64({2, 3}, {1, 2, 3, 4, 5, 6}), i64(0)},
          {i64({2, 3}, {4, 5, 6, 0, 0, 0})},
          {attr("reverse", 1), attr("exclusive", 1)}},
         {"of_nothing", {f32({0, 2}, {}), i64(0)}, {f32({0, 2}, {})}});
#define CUM_SUM_SWEEP(axis, ...)                                                                                \
  OP_SWEEP(                                                                                                     \
      CumSum, .types = {DType::f32, DType::f64, DType::i32, DType::u64}, .attributes = {__VA_ARGS__}, .low = 0, \
      .high = 9, .special_values = false,                                                                       \
      .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {                                                 \
        return {sdx::Shape{1 + round % 3, 1 + round * 13 % 90, 1 + round * 17 % 160}};                          \
      },                                                                                                        \
      .fixed_inputs = {i64(axis)})
CUM_SUM_SWEEP(1);
CUM_SUM_SWEEP(2, attr("exclusive", 1));
CUM_SUM_SWEEP(0, attr("reverse", 1));
CUM_SUM_SWEEP(1, attr("reverse", 1), attr("exclusive", 1));
