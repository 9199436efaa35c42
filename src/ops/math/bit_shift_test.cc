#include "ops/testing/op_case.h"

OP_CASES(BitShift,
         {"right", {u8({3}, {16, 4, 255}), u8({3}, {1, 2, 8})}, {u8({3}, {8, 1, 0})}, {attr("direction", "RIGHT")}},
         {"left", {u8({3}, {16, 4, 255}), u8({1}, {1})}, {u8({3}, {32, 8, 254})}, {attr("direction", "LEFT")}},
         {"signed_right",
          {i8({4}, {-8, 8, -1, -128}), i8({4}, {1, 1, 9, -1})},
          {i8({4}, {-4, 4, -1, -1})},
          {attr("direction", "RIGHT")}},
         {"signed_left",
          {i32({3}, {-1, 1, 1}), i32({3}, {31, 31, 32})},
          {i32({3}, {INT32_MIN, INT32_MIN, 0})},
          {attr("direction", "LEFT")}},
         {"u64",
          {tensor_i64_values(DType::u64, {1}, {-1}), tensor_i64_values(DType::u64, {1}, {63})},
          {tensor_i64_values(DType::u64, {1}, {1})},
          {attr("direction", "RIGHT")}});
OP_REJECTS(BitShift, "must be \"LEFT\" or \"RIGHT\"", {u8({1}, {1}), u8({1}, {1})}, {attr("direction", "UP")});
OP_SWEEP(BitShift, .inputs = 2, .types = {DType::u8, DType::u16, DType::u32, DType::u64},
         .attributes = {attr("direction", "LEFT")}, .low = 0, .high = 70, .broadcast = true);
OP_SWEEP(BitShift, .inputs = 2, .types = {DType::u8, DType::u16, DType::u32, DType::u64},
         .attributes = {attr("direction", "RIGHT")}, .low = 0, .high = 70, .broadcast = true);
