#include "ops/testing/op_case.h"

OP_CASES(Squeeze, {"all", {f32({1, 2, 1}, {1, 2})}, {f32({2}, {1, 2})}},
         {"negative", {f32({1, 2, 1}, {1, 2}), i64({1}, {-1})}, {f32({1, 2}, {1, 2})}},
         {"to_scalar", {str({1}, {"a"}), i64({1}, {0})}, {str({}, {"a"})}},
         {"none", {f32({2}, {1, 2}), i64({0}, {})}, {f32({2}, {1, 2})}});
OP_REJECTS(Squeeze, "not 1", {f32({1, 2}, {0}), i64({1}, {1})});
OP_REJECTS(Squeeze, "outside", {f32({1, 2}, {0}), i64({1}, {2})});
OP_REJECTS(Squeeze, "twice", {f32({1, 2}, {0}), i64({2}, {0, -2})});
