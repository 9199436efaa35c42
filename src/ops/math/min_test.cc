#include "ops/testing/op_case.h"

OP_CASES(Min,
         {"three", {f32({3}, {1, kNaN, -kInf}), f32({3}, {2, 1, 4}), f32({1}, {1.5})}, {f32({3}, {1, kNaN, -kInf})}},
         {"nan_second", {f32({2}, {1, 2}), f32({2}, {kNaN, 3})}, {f32({2}, {kNaN, 2})}},
         {"one", {f32({2}, {1, kNaN})}, {f32({2}, {1, kNaN})}},
         {"u64_is_unsigned",
          {tensor_i64_values(DType::u64, {1}, {-1}), tensor_i64_values(DType::u64, {1}, {2})},
          {tensor_i64_values(DType::u64, {1}, {2})}},
         {"int8", {i8({2}, {-128, 5}), i8({2}, {3, 4})}, {i8({2}, {-128, 4})}},
         {"broadcast_int64", {i64({2, 1}, {1, 5}), i64({2}, {3, 4})}, {i64({2, 2}, {1, 1, 3, 4})}});
OP_SWEEP(Min, .inputs = 3, .broadcast = true);
OP_SWEEP(Min, .inputs = 2, .types = {DType::f32, DType::f16, DType::i64}, .broadcast = true);
OP_SWEEP(Min, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64,
                   DType::f64},
         .low = -300, .high = 300, .broadcast = true);
OP_SWEEP(Min, .inputs = 4, .types = {DType::f32, DType::f64, DType::f16, DType::i64, DType::u8}, .broadcast = true);
