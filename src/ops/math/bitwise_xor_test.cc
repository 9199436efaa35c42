#include "ops/testing/op_case.h"

OP_CASES(BitwiseXor, {"int8", {i8({2}, {-4, 6}), i8({2}, {9, 3})}, {i8({2}, {-11, 5})}});
