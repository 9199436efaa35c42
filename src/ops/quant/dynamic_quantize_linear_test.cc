#include "ops/testing/op_case.h"

OP_CASES(DynamicQuantizeLinear,
         {"example",
          {f32({6}, {0, 2, -3, -2.5, 1.34, 0.5})},
          {u8({6}, {153, 255, 0, 26, 221, 179}), f32(0.0196078438), u8({}, {153})}},
         {"positive", {f32({2}, {1, 255})}, {u8({2}, {1, 255}), f32(1), u8({}, {0})}},
         {"zeros", {f32({2}, {0})}, {u8({2}, {0}), f32(1), u8({}, {0})}},
         {"empty", {f32({0}, {})}, {u8({0}, {}), f32(1), u8({}, {0})}});
OP_SWEEP(DynamicQuantizeLinear, .outputs = 3, .special_values = false);
