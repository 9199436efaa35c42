#include "ops/testing/op_case.h"

OP_CASES(Neg, {"floats", {f32({4}, {-1.5, 0, -kInf, kNaN})}, {f32({4}, {1.5, -0.0, kInf, kNaN})}},
         {"lowest_integer_stays", {i8({3}, {-128, -1, 5})}, {i8({3}, {-128, 1, -5})}},
         {"int64", {i64({2}, {INT64_MIN, 7})}, {i64({2}, {INT64_MIN, -7})}});
OP_SWEEP(Neg, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Neg, .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::f64}, .low = -200, .high = 200);
