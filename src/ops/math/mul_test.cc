#include "ops/testing/op_case.h"

OP_CASES(Mul, {"broadcasts", {f32({2, 1}, {1, 2}), f32({3}, {10, 0, kInf})}, {f32({2, 3}, {10, 0, kInf, 20, 0, kInf})}},
         {"int8_wraps", {i8({2}, {100, -128}), i8({2}, {3, -1})}, {i8({2}, {44, -128})}},
         {"int64_wraps", {i64({1}, {INT64_MIN}), i64({1}, {-1})}, {i64({1}, {INT64_MIN})}});
OP_SWEEP(Mul, .inputs = 2, .types = {DType::f32, DType::f16, DType::bf16, DType::i32, DType::i64}, .broadcast = true);
OP_SWEEP(Mul, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64,
                   DType::f64},
         .low = -300, .high = 300, .broadcast = true);
