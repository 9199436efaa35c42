#include "ops/testing/op_case.h"

OP_CASES(Mod, {"sign_of_divisor", {i64({4}, {7, -7, 7, -7}), i64({4}, {3, 3, -3, -3})}, {i64({4}, {1, 2, -2, -1})}},
         {"sign_of_dividend",
          {i64({4}, {7, -7, 7, -7}), i64({4}, {3, 3, -3, -3})},
          {i64({4}, {1, -1, 1, -1})},
          {attr("fmod", 1)}},
         {"lowest", {i64({1}, {INT64_MIN}), i64({1}, {-1})}, {i64({1}, {0})}},
         {"floats",
          {f32({6}, {5.5, -5.5, kInf, 1, 1, -2}), f32({6}, {2, 2, 2, 0, -kInf, kInf})},
          {f32({6}, {1.5, 0.5, kNaN, kNaN, -kInf, kInf})}},
         {"float_fmod",
          {f32({4}, {5.5, -5.5, kInf, 1}), f32({4}, {2, 2, 2, kInf})},
          {f32({4}, {1.5, -1.5, kNaN, 1})},
          {attr("fmod", 1)}},
         {"broadcast_u8", {u8({3}, {7, 8, 255}), u8({1}, {4})}, {u8({3}, {3, 0, 3})}});
OP_REJECTS(Mod, "division by zero", {i64({1}, {1}), i64({1}, {0})});
OP_REJECTS(Mod, "must be 0 or 1", {i64({1}, {1}), i64({1}, {2})}, {attr("fmod", 2)});
