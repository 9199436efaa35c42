#include "ops/testing/op_case.h"

OP_CASES(Add, {"same_shape", {f32({3}, {1, kNaN, kInf}), f32({3}, {2, 1, -kInf})}, {f32({3}, {3, kNaN, kNaN})}},
         {"broadcasts_both_ways",
          {f32({2, 1}, {1, 2}), f32({3}, {10, 20, 30})},
          {f32({2, 3}, {11, 21, 31, 12, 22, 32})}},
         {"scalar", {f32({2}, {1, 2}), f32(0.5)}, {f32({2}, {1.5, 2.5})}},
         {"int8_wraps", {i8({2}, {127, -128}), i8({2}, {1, -1})}, {i8({2}, {-128, 127})}},
         {"int64_wraps", {i64({1}, {INT64_MAX}), i64({1}, {1})}, {i64({1}, {INT64_MIN})}},
         {"zero_size", {f32({0, 3}, {}), f32({3}, {1, 2, 3})}, {f32({0, 3}, {})}});
OP_REJECTS(Add, "do not broadcast", {f32({2}, {0}), f32({3}, {0})});
OP_SWEEP(Add, .inputs = 2, .types = {DType::f32, DType::f64, DType::i32, DType::i64}, .broadcast = true);
OP_SWEEP(Add, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64,
                   DType::f64},
         .low = -300, .high = 300, .broadcast = true);
