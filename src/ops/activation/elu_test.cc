#include "ops/testing/op_case.h"

OP_CASES(Elu, {"values",
               {f32({5}, {-1, 0, 2, kNaN, -kInf})},
               {f32({5}, {-1.2642411176571153, 0, 2, kNaN, -2})},
               {attr("alpha", 2.0f)}});
