#include "ops/testing/op_case.h"

OP_CASES(BitCast, {"f32_to_i32", {f32({2}, {1, -0.0})}, {i32({2}, {0x3f800000, INT32_MIN})}, {attr("to", 6)}},
         {"i8_to_u8", {i8({1}, {-1})}, {u8({1}, {255})}, {attr("to", 2)}},
         {"u8_to_boolean", {u8({3}, {0, 1, 2})}, {boolean({3}, {0, 1, 1})}, {attr("to", 9)}});
OP_REJECTS(BitCast, "has 64", {f32({1}, {1})}, {attr("to", 7)});
OP_REJECTS(BitCast, "no type of numbers", {f32({1}, {1})}, {attr("to", 8)});
