#include "ops/testing/op_case.h"

OP_CASES(BitwiseOr, {"int8", {i8({2}, {-4, 6}), i8({2}, {9, 3})}, {i8({2}, {-3, 7})}});
