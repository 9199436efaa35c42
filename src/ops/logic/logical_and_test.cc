#include "ops/testing/op_case.h"

OP_CASES(And, {"table", {boolean({4}, {0, 0, 1, 1}), boolean({4}, {0, 1, 0, 1})}, {boolean({4}, {0, 0, 0, 1})}},
         {"broadcast", {boolean({2, 1}, {0, 1}), boolean({}, {1})}, {boolean({2, 1}, {0, 1})}});
OP_SWEEP(And, .inputs = 2, .types = {DType::boolean}, .broadcast = true);
