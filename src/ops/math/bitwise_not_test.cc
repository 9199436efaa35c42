#include "ops/testing/op_case.h"

OP_CASES(BitwiseNot, {"int8", {i8({2}, {-4, 6})}, {i8({2}, {3, -7})}},
         {"uint8", {u8({2}, {0, 255})}, {u8({2}, {255, 0})}});
OP_SWEEP(BitwiseNot,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64},
         .low = -300, .high = 300);
