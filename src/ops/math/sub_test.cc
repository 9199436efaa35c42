#include "ops/testing/op_case.h"

OP_CASES(Sub,
         {"broadcasts",
          {f32({2, 1}, {1, 2}), f32({3}, {10, 20, kInf})},
          {f32({2, 3}, {-9, -19, -kInf, -8, -18, -kInf})}},
         {"scalar_first", {f32(1), f32({2}, {3, kNaN})}, {f32({2}, {-2, kNaN})}},
         {"uint8_wraps", {u8({2}, {0, 5}), u8({2}, {1, 3})}, {u8({2}, {255, 2})}},
         {"int64_wraps", {i64({1}, {INT64_MIN}), i64({1}, {1})}, {i64({1}, {INT64_MAX})}},
         {"scalars", {f16({}, {3}), f16({}, {1})}, {f16({}, {2})}},
         {"empty", {f32({0}, {}), f32({1}, {1})}, {f32({0}, {})}});
OP_REJECTS(Sub, "do not broadcast", {f32({2}, {0}), f32({3}, {0})});
OP_SWEEP(Sub, .inputs = 2, .types = {DType::f32, DType::f16, DType::bf16, DType::i32, DType::i64}, .broadcast = true);
OP_SWEEP(Sub, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64,
                   DType::f64},
         .low = -300, .high = 300, .broadcast = true);
