#include "ops/testing/op_case.h"

OP_CASES(LpNormalization,
         {"l2_zero_stays_zero", {f32({2, 2}, {3, 4, 0, 0})}, {f32({2, 2}, {0.600000024, 0.800000012, 0, 0})}},
         {"l1", {f32({2, 2}, {3, 4, 0, 0})}, {f32({2, 2}, {0.428571433, 0.571428597, 0, 0})}, {attr("p", 1)}},
         {"first_axis", {f32({2, 2}, {3, 4, 0, 0})}, {f32({2, 2}, {1, 1, 0, 0})}, {attr("axis", 0)}});
OP_REJECTS(LpNormalization, "p is 3; 1 or 2", {f32({2, 2}, {3, 4, 0, 0})}, {attr("p", 3)});
