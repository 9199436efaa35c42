#include "ops/testing/op_case.h"

OP_CASES(Div, {"floats", {f32({4}, {1, -1, 0, 3}), f32({4}, {0, 0, 0, 2})}, {f32({4}, {kInf, -kInf, kNaN, 1.5})}},
         {"truncates", {i64({4}, {7, -7, 7, -7}), i64({4}, {2, 2, -2, -2})}, {i64({4}, {3, -3, -3, 3})}},
         {"lowest_over_minus_one_wraps", {i64({1}, {INT64_MIN}), i64(-1)}, {i64({1}, {INT64_MIN})}},
         {"lowest_int8_wraps", {i8({1}, {-128}), i8({1}, {-1})}, {i8({1}, {-128})}},
         {"u64_is_unsigned",
          {tensor_i64_values(DType::u64, {1}, {-1}), tensor_i64_values(DType::u64, {1}, {2})},
          {tensor_i64_values(DType::u64, {1}, {INT64_MAX})}},
         {"nothing_divided", {i64({0}, {}), i64({1}, {0})}, {i64({0}, {})}});
OP_REJECTS(Div, "division by zero", {i64({2}, {1, 2}), i64({2}, {1, 0})});
OP_REJECTS(Div, "division by zero", {u8({1}, {1}), u8({1}, {0})});
OP_SWEEP(Div, .inputs = 2, .types = {DType::f32, DType::f16, DType::bf16}, .broadcast = true);
