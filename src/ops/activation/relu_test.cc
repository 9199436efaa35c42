#include "ops/testing/op_case.h"

OP_CASES(Relu, {"values", {f32({5}, {-1, 0, 2, kNaN, -kInf})}, {f32({5}, {0, 0, 2, kNaN, 0})}},
         {"int8", {i8({2}, {-128, 5})}, {i8({2}, {0, 5})}}, {"empty", {f32({0}, {})}, {f32({0}, {})}});
OP_SWEEP(Relu, .types = {DType::f32, DType::f16, DType::bf16});
OP_SWEEP(Relu, .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::f64}, .low = -200, .high = 200);
