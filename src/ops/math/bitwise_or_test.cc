#include "ops/testing/op_case.h"

OP_CASES(BitwiseOr, {"int8", {i8({2}, {-4, 6}), i8({2}, {9, 3})}, {i8({2}, {-3, 7})}});
OP_SWEEP(BitwiseOr, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64},
         .low = -300, .high = 300, .broadcast = true);
