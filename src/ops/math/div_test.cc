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
OP_SWEEP(Div, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64},
         .low = 1, .high = 120, .special_values = false, .broadcast = true);
OP_SWEEP(Div, .inputs = 2, .types = {DType::i8, DType::i16, DType::i32, DType::i64}, .low = -120, .high = -1,
         .special_values = false, .broadcast = true);
OP_SWEEP(Div, .inputs = 2, .types = {DType::f32, DType::f16, DType::f64}, .low = -9, .high = 9, .broadcast = true);
// Numbers of all sizes, also beyond what float64 holds; the lowest over -1 wraps.
OP_CASES(Div,
         {"long",
          {i64({9}, {INT64_MIN, INT64_MAX, INT64_MAX, -7, 7, 4503599627370496, 2251799813685247, -2251799813685248, 9}),
           i64({9}, {-1, -1, 2, 2, -2, 3, 3, -7, INT64_MIN})},
          {i64({9}, {INT64_MIN, -INT64_MAX, 4611686018427387903, -3, -3, 1501199875790165, 750599937895082,
                     321685687669321, 0})}},
         {"short_lowest",
          {i32({4}, {INT32_MIN, INT32_MIN, INT32_MAX, -7}), i32({4}, {-1, 1, -1, 2})},
          {i32({4}, {INT32_MIN, INT32_MIN, -INT32_MAX, -3})}},
         {"byte_lowest", {i8({3}, {-128, -128, 127}), i8({3}, {-1, 3, -2})}, {i8({3}, {-128, -42, -63})}},
         {"unsigned",
          {tensor_i64_values(DType::u32, {3}, {4294967295, 4294967295, 1}),
           tensor_i64_values(DType::u32, {3}, {1, 2, 4294967295})},
          {tensor_i64_values(DType::u32, {3}, {4294967295, 2147483647, 0})}},
         {"unsigned_long",
          {tensor_i64_values(DType::u64, {2}, {-1, 10}), tensor_i64_values(DType::u64, {2}, {2, 3})},
          {tensor_i64_values(DType::u64, {2}, {INT64_MAX, 3})}});
