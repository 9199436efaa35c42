#include "ops/testing/op_case.h"

OP_CASES(CastLike, {"to_i32", {f32({2}, {1.5, -2}), i32({0}, {})}, {i32({2}, {1, -2})}},
         {"to_text", {i64({1}, {7}), str({1}, {"x"})}, {str({1}, {"7"})}},
         {"same_type", {f32({1}, {7}), f32({1}, {1})}, {f32({1}, {7})}});
