#include "ops/testing/op_case.h"

OP_CASES(Not, {"table", {boolean({2}, {0, 1})}, {boolean({2}, {1, 0})}});
OP_SWEEP(Not, .types = {DType::boolean}, .low = 0, .high = 1);
