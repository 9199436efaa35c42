#include "ops/testing/op_case.h"

OP_CASES(Sign, {"floats", {f32({5}, {-1.5, 0, -kInf, kNaN, 1e-40})}, {f32({5}, {-1, 0, -1, kNaN, 1})}},
         {"int8", {i8({3}, {-128, 0, 5})}, {i8({3}, {-1, 0, 1})}},
         {"u64_is_unsigned", {tensor_i64_values(DType::u64, {1}, {-1})}, {tensor_i64_values(DType::u64, {1}, {1})}});
OP_SWEEP(Sign, .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::f64}, .low = -200, .high = 200);
OP_SWEEP(Sign, .types = {DType::f32, DType::f16, DType::bf16, DType::u8, DType::u64});
