#include "ops/testing/op_case.h"

OP_CASES(Gelu,
         {"exact",
          {f32({5}, {-3, -1, 0, 1, 20})},
          {f32({5}, {-0.00404969409489031, -0.15865525393145707, 0.0, 0.8413447460685429, 20.0})}},
         {"tanh",
          {f32({4}, {-3, -1, 0, 1})},
          {f32({4}, {-0.0036373920817729943, -0.15880800939172324, 0.0, 0.8411919906082768})},
          {attr("approximate", "tanh")}},
         {"special_values", {f32({3}, {kInf, -kInf, kNaN})}, {f32({3}, {kInf, kNaN, kNaN})}},
         {"lower_tail", {f32({1}, {-6})}, {f32({1}, {-5.919525870226208e-09})}});
OP_REJECTS(Gelu, "must be \"none\" or \"tanh\"", {f32({1}, {1})}, {attr("approximate", "x")});
OP_SWEEP(Gelu, .attributes = {attr("approximate", "tanh")}, .low = -5, .high = 5);
OP_SWEEP(Gelu, .types = {DType::f32, DType::f16}, .low = -8, .high = 8);
