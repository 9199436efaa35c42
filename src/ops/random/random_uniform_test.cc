#include "ops/testing/op_case.h"

OP_CASES(RandomUniform, {"numpy_sequence",
                         {},
                         {f64({5}, {-0.7710751318781285, 1.3397563767203438, 0.3152276943226804, 1.1703955334928238,
                                    1.9339685359898082})},
                         {attr("shape", std::vector<int64_t>{5}), attr("seed", 7.0F), attr("low", -1.0F),
                          attr("high", 2.0F), attr("dtype", 11)}});
OP_REJECTS(RandomUniform, "which no tensor can have", {}, {attr("shape", std::vector<int64_t>{-1})});
