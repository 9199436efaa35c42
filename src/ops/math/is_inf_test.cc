#include "ops/testing/op_case.h"

OP_CASES(IsInf, {"both", {f32({4}, {0, kNaN, kInf, -kInf})}, {boolean({4}, {0, 0, 1, 1})}},
         {"positive", {f32({2}, {kInf, -kInf})}, {boolean({2}, {1, 0})}, {attr("detect_negative", 0)}},
         {"negative", {f32({2}, {kInf, -kInf})}, {boolean({2}, {0, 1})}, {attr("detect_positive", 0)}});
