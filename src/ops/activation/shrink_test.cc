#include "ops/testing/op_case.h"

OP_CASES(Shrink, {"hard", {f32({4}, {-2, -1, 1, 2})}, {f32({4}, {-2, 0, 0, 2})}, {attr("lambd", 1.5f)}},
         {"soft", {f32({4}, {-2, -1, 1, 2})}, {f32({4}, {-0.5, 0, 0, 0.5})}, {attr("lambd", 1.5f), attr("bias", 1.5f)}},
         {"integers", {i8({2}, {-2, 0})}, {i8({2}, {-2, 0})}});
OP_SWEEP(Shrink, .types = {DType::f32, DType::f16, DType::bf16},
         .attributes = {attr("lambd", 1.5f), attr("bias", 0.75f)});
OP_SWEEP(Shrink, .types = {DType::f32, DType::f16}, .attributes = {attr("lambd", -1.0f), attr("bias", 0.3f)});
