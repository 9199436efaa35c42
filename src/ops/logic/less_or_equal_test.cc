#include "ops/testing/op_case.h"

OP_CASES(LessOrEqual, {"floats", {f32({4}, {1, 2, 3, kNaN}), f32({4}, {2, 2, 2, kNaN})}, {boolean({4}, {1, 1, 0, 0})}},
         {"broadcast", {i64({2, 1}, {1, 2}), i64({2}, {1, 2})}, {boolean({2, 2}, {1, 1, 0, 1})}},
         {"u64_is_unsigned",
          {tensor_i64_values(DType::u64, {1}, {-1}), tensor_i64_values(DType::u64, {1}, {1})},
          {boolean({1}, {0})}});
OP_SWEEP(LessOrEqual, .inputs = 2, .types = {DType::f32, DType::f64, DType::i32, DType::i64, DType::u8, DType::i8},
         .broadcast = true);
OP_SWEEP(LessOrEqual, .inputs = 2, .types = {DType::f16, DType::bf16}, .low = -2, .high = 2, .broadcast = true);
