#include "ops/testing/op_case.h"

OP_CASES(BitwiseNot, {"int8", {i8({2}, {-4, 6})}, {i8({2}, {3, -7})}},
         {"uint8", {u8({2}, {0, 255})}, {u8({2}, {255, 0})}});
