#include "ops/testing/op_case.h"

OP_CASES(Sign, {"floats", {f32({5}, {-1.5, 0, -kInf, kNaN, 1e-40})}, {f32({5}, {-1, 0, -1, kNaN, 1})}},
         {"int8", {i8({3}, {-128, 0, 5})}, {i8({3}, {-1, 0, 1})}},
         {"u64_is_unsigned", {tensor_i64_values(DType::u64, {1}, {-1})}, {tensor_i64_values(DType::u64, {1}, {1})}});
