#include "ops/testing/op_case.h"

OP_CASES(RandomUniform, {"numpy_sequence",
                         {},
                         {f64({5}, {-0.771075132, 1.339756377, 0.315227694, 1.170395533, 1.933968536})},
                         {attr("shape", std::vector<int64_t>{5}), attr("seed", 7.0F), attr("low", -1.0F),
                          attr("high", 2.0F), attr("dtype", 11)}});
OP_REJECTS(RandomUniform, "which no tensor can have", {}, {attr("shape", std::vector<int64_t>{-1})});
