#include "ops/testing/op_case.h"

OP_CASES(IsInf, {"both", {f32({4}, {0, kNaN, kInf, -kInf})}, {boolean({4}, {0, 0, 1, 1})}},
         {"positive", {f32({2}, {kInf, -kInf})}, {boolean({2}, {1, 0})}, {attr("detect_negative", 0)}},
         {"negative", {f32({2}, {kInf, -kInf})}, {boolean({2}, {0, 1})}, {attr("detect_positive", 0)}});
OP_SWEEP(IsInf, .types = {DType::f32, DType::f16, DType::bf16, DType::f64});
OP_SWEEP(IsInf, .types = {DType::f32, DType::f16, DType::f64}, .attributes = {attr("detect_negative", 0)});
OP_SWEEP(IsInf, .types = {DType::f32, DType::f16, DType::f64}, .attributes = {attr("detect_positive", 0)});
OP_SWEEP(IsInf, .attributes = {attr("detect_positive", 0), attr("detect_negative", 0)});
