#include "ops/testing/op_case.h"

OP_CASES(Multinomial, {"certain",
                       {f32({2, 3}, {-kInf, 0, -kInf, 5, -kInf, -kInf})},
                       {i32({2, 3}, {1, 1, 1, 0, 0, 0})},
                       {attr("sample_size", 3), attr("seed", 1.0F)}});
OP_REJECTS(Multinomial, "dtype is 1; 6", {f32({1, 2}, {1, 2})}, {attr("dtype", 1)});
OP_REJECTS(Multinomial, "there is no class", {f32({1, 0}, {})});
