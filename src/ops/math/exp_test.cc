#include "ops/testing/op_case.h"

OP_CASES(Exp, {"values", {f32({3}, {0, 1, -1})}, {f32({3}, {1, 2.718281828459045, 0.36787944117144233})}},
         {"special_values", {f32({5}, {kInf, -kInf, kNaN, 89, -0.0})}, {f32({5}, {kInf, 0, kNaN, kInf, 1})}},
         {"half", {f16({1}, {1})}, {f16({1}, {2.718281828459045})}});
OP_SWEEP(Exp, .low = -80, .high = 80);
