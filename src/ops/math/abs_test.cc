#include "ops/testing/op_case.h"

OP_CASES(Abs, {"floats", {f32({4}, {-1.5, -0.0, -kInf, kNaN})}, {f32({4}, {1.5, 0, kInf, kNaN})}},
         {"lowest_integer_stays", {i8({3}, {-128, -1, 5})}, {i8({3}, {-128, 1, 5})}},
         {"u64_is_unsigned", {tensor_i64_values(DType::u64, {1}, {-1})}, {tensor_i64_values(DType::u64, {1}, {-1})}});
OP_SWEEP(Abs, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Abs, .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::f64}, .low = -200, .high = 200);
