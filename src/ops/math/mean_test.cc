#include "ops/testing/op_case.h"

OP_CASES(Mean,
         {"three", {f32({3}, {1, kNaN, -kInf}), f32({3}, {2, 1, 4}), f32({1}, {3})}, {f32({3}, {2, kNaN, -kInf})}},
         {"one", {f32({2}, {1, 2})}, {f32({2}, {1, 2})}},
         {"negative_zeros", {f32({3}, {-0.0, -0.0, 0}), f32({3}, {-0.0, 0, -0.0})}, {f32({3}, {-0.0, 0, 0})}},
         {"one_negative_zero", {f32({1}, {-0.0})}, {f32({1}, {-0.0})}},
         {"overflowing_sum", {f32({1}, {3e38}), f32({1}, {3e38})}, {f32({1}, {3e38})}});
OP_REJECTS(Mean, "do not broadcast", {f32({2}, {0}), f32({3}, {0})});
OP_SWEEP(Mean, .inputs = 4, .types = {DType::f32, DType::f64}, .broadcast = true);
