#include "ops/testing/op_case.h"

OP_CASES(Equal, {"floats", {f32({4}, {1, 2, 3, kNaN}), f32({4}, {2, 2, 2, kNaN})}, {boolean({4}, {0, 1, 0, 0})}},
         {"broadcast", {i64({2, 1}, {1, 2}), i64({2}, {1, 2})}, {boolean({2, 2}, {1, 0, 0, 1})}},
         {"u64_is_unsigned",
          {tensor_i64_values(DType::u64, {1}, {-1}), tensor_i64_values(DType::u64, {1}, {1})},
          {boolean({1}, {0})}},
         {"strings", {str({3}, {"a", "", "b"}), str({1}, {"a"})}, {boolean({3}, {1, 0, 0})}},
         {"booleans", {boolean({2}, {0, 1}), boolean({2}, {1, 1})}, {boolean({2}, {0, 1})}},
         {"f16", {f16({2}, {0, 1}), f16({2}, {-0.0, 2})}, {boolean({2}, {1, 0})}});
OP_SWEEP(Equal, .inputs = 2, .types = {DType::f32, DType::f64, DType::i32, DType::i64, DType::u8, DType::i8},
         .broadcast = true);
OP_SWEEP(Equal, .inputs = 2, .types = {DType::f16, DType::bf16}, .low = -2, .high = 2, .broadcast = true);
