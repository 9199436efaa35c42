#include "ops/testing/op_case.h"

OP_CASES(
    Cast, {"truncates", {f32({5}, {1.9, -1.9, kNaN, 300, -1})}, {i32({5}, {1, -1, 0, 300, -1})}, {attr("to", 6)}},
    {"keeps_low_bits", {f32({3}, {300, -1, -9})}, {u8({3}, {44, 255, 247})}, {attr("to", 2)}},
    {"ends", {f32({3}, {kInf, -kInf, kNaN})}, {i64({3}, {INT64_MAX, INT64_MIN, 0})}, {attr("to", 7)}},
    {"to_boolean", {f32({4}, {0, -0.0, 0.5, kNaN})}, {boolean({4}, {0, 0, 1, 1})}, {attr("to", 9)}},
    {"from_boolean", {boolean({2}, {0, 1})}, {f32({2}, {0, 1})}, {attr("to", 1)}},
    {"integers_wrap", {i64({2}, {200, -129})}, {i8({2}, {-56, 127})}, {attr("to", 3)}},
    {"to_f16", {f32({4}, {1, 65520, 65519, kNaN})}, {f16({4}, {1, kInf, 65504, kNaN})}, {attr("to", 10)}},
    {"from_f16", {f16({2}, {1.5, -kInf})}, {f64({2}, {1.5, -kInf})}, {attr("to", 11)}},
    {"to_bf16", {f32({2}, {1.00390625, 1.01171875})}, {tensor(DType::bf16, {2}, {1, 1.015625})}, {attr("to", 16)}},
    {"int64_rounds_once",
     {i64({2}, {16777217, 9007199791611905})},
     {f32({2}, {16777216, 9007200328482816})},
     {attr("to", 1)}},
    {"u64", {tensor_i64_values(DType::u64, {1}, {-1})}, {f32({1}, {18446744073709551616.0})}, {attr("to", 1)}},
    {"to_u64",
     {f32({1}, {9223372036854775808.0})},
     {tensor_i64_values(DType::u64, {1}, {INT64_MIN})},
     {attr("to", 13)}},
    {"saturates",
     {f32({4}, {500, -kInf, kNaN, 0.1})},
     {tensor(DType::f8e4m3fn, {4}, {448, -448, kNaN, 0.1015625})},
     {attr("to", 17)}},
    {"does_not_saturate",
     {f32({2}, {500, 1})},
     {tensor(DType::f8e4m3fn, {2}, {kNaN, 1})},
     {attr("to", 17), attr("saturate", 0)}},
    {"infinity_of_e5m2", {f32({1}, {1e9})}, {tensor(DType::f8e5m2, {1}, {57344})}, {attr("to", 19)}},
    {"e8m0_up", {f32({3}, {1.1, 4, 3})}, {tensor(DType::f8e8m0, {3}, {2, 4, 4})}, {attr("to", 24)}},
    {"e8m0_down",
     {f32({3}, {1.1, 4, 3})},
     {tensor(DType::f8e8m0, {3}, {1, 4, 2})},
     {attr("to", 24), attr("round_mode", "down")}},
    {"to_i4", {f32({3}, {-9, 7.9, 8})}, {tensor_i64_values(DType::i4, {3}, {7, 7, -8})}, {attr("to", 22)}},
    {"from_u4", {tensor_i64_values(DType::u4, {3}, {1, 15, 7})}, {f32({3}, {1, 15, 7})}, {attr("to", 1)}},
    {"to_f4", {f32({3}, {0.3, 5.1, -100})}, {tensor(DType::f4e2m1, {3}, {0.5, 6, -6})}, {attr("to", 23)}},
    {"to_text",
     {f32({6}, {0.1, 3, kInf, -kInf, kNaN, 1e20})},
     {str({6}, {"0.1", "3", "INF", "-INF", "NaN", "1e+20"})},
     {attr("to", 8)}},
    {"integers_to_text", {i64({2}, {-12, INT64_MAX})}, {str({2}, {"-12", "9223372036854775807"})}, {attr("to", 8)}},
    {"from_text",
     {str({8}, {"3.5", " 1e3 ", "+inf", "-INF", "NaN", "-.5", "1e400", "1e-400"})},
     {f32({8}, {3.5, 1000, kInf, -kInf, kNaN, -0.5, kInf, 0})},
     {attr("to", 1)}},
    {"text_to_integer",
     {str({3}, {"-12", "100.5", "9223372036854775807"})},
     {i64({3}, {-12, 100, INT64_MAX})},
     {attr("to", 7)}},
    {"text_to_text", {str({1}, {"x"})}, {str({1}, {"x"})}, {attr("to", 8)}},
    {"empty", {f32({0}, {})}, {i64({0}, {})}, {attr("to", 7)}});
OP_REJECTS(Cast, "no number", {str({1}, {"1.5x"})}, {attr("to", 1)});
OP_REJECTS(Cast, "no type to cast to", {f32({1}, {1})}, {attr("to", 99)});
OP_REJECTS(Cast, "must be \"up\"", {f32({1}, {1})}, {attr("to", 24), attr("round_mode", "odd")});
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 10)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 16)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 3)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 2)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 6)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 7)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 13)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 9)},
         .low = -300, .high = 300);
OP_SWEEP(Cast, .types = {DType::f32, DType::f16, DType::f64, DType::i64, DType::u8}, .attributes = {attr("to", 11)},
         .low = -300, .high = 300);
// Beyond int32, and numbers that float32 would round first.
OP_SWEEP(Cast, .types = {DType::f32, DType::f64}, .attributes = {attr("to", 7)}, .low = -1e12, .high = 1e12);
OP_SWEEP(Cast, .types = {DType::f32, DType::f64}, .attributes = {attr("to", 13)}, .low = -1e19, .high = 3e19);
OP_SWEEP(Cast, .types = {DType::f32, DType::f64}, .attributes = {attr("to", 12)}, .low = -5e9, .high = 5e9);
OP_SWEEP(Cast, .types = {DType::i64, DType::u64}, .attributes = {attr("to", 1)}, .low = -9e18, .high = 9e18);
OP_SWEEP(Cast, .types = {DType::i64, DType::u64}, .attributes = {attr("to", 11)}, .low = -9e18, .high = 9e18);
OP_SWEEP(Cast, .types = {DType::i32, DType::u32, DType::i64, DType::u64, DType::f64}, .attributes = {attr("to", 10)},
         .low = -70000, .high = 70000);
OP_SWEEP(Cast, .types = {DType::i32, DType::u32}, .attributes = {attr("to", 16)}, .low = -2e9, .high = 2e9);
OP_SWEEP(Cast, .types = {DType::boolean, DType::i8, DType::i16, DType::u16, DType::u32, DType::i32},
         .attributes = {attr("to", 7)}, .low = -300, .high = 300);
OP_CASES(
    Cast,
    {"f64_to_f16_rounds_once",
     {f64({4}, {1.00048828125000001e0, 1.0004882812500002, 65519.999999999993, 1e-300})},
     {f16({4}, {1, 1.0009765625, 65504, 0})},
     {attr("to", 10)}},
    {"i32_to_f16", {i32({4}, {2049, 2051, 65519, -65520})}, {f16({4}, {2048, 2052, 65504, -kInf})}, {attr("to", 10)}},
    {"i32_to_bf16",
     {i32({2}, {16842753, 16842752})},
     {tensor(DType::bf16, {2}, {16908288, 16777216})},
     {attr("to", 16)}});
