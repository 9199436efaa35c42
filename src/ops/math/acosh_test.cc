#include "ops/testing/op_case.h"

OP_CASES(Acosh, {"values", {f32({4}, {1, 2, 0.5, kInf})}, {f32({4}, {0, 1.3169578969248166, kNaN, kInf})}});
