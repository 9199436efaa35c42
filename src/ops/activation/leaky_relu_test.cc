#include "ops/testing/op_case.h"

OP_CASES(LeakyRelu,
         {"values", {f32({5}, {-1, 0, 2, kNaN, -kInf})}, {f32({5}, {-0.1, 0, 2, kNaN, -kInf})}, {attr("alpha", 0.1f)}},
         {"default_alpha", {f32({1}, {-100})}, {f32({1}, {-1})}});
OP_SWEEP(LeakyRelu, .types = {DType::f32, DType::f16, DType::bf16}, .attributes = {attr("alpha", 0.1f)});
