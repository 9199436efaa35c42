#include "ops/testing/op_case.h"

OP_CASES(CumProd, {"plain", {f32({3}, {2, 3, 4}), i64(0)}, {f32({3}, {2, 6, 24})}},
         {"exclusive", {i64({3}, {2, 3, 4}), i64(0)}, {i64({3}, {1, 2, 6})}, {attr("exclusive", 1)}},
         {"reverse", {f32({3}, {2, 3, 4}), i64(0)}, {f32({3}, {24, 12, 4})}, {attr("reverse", 1)}});
OP_SWEEP(
    CumProd, .types = {DType::f32, DType::f64, DType::i32, DType::i64}, .low = 0.5, .high = 1.5,
    .special_values = false,
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, 1 + round * 13 % 40, 1 + round * 17 % 160}};
    },
    .fixed_inputs = {i64(1)});
