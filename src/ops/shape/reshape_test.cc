#include "ops/testing/op_case.h"

OP_CASES(Reshape, {"rest", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({2}, {-1, 2})}, {f32({3, 2}, {1, 2, 3, 4, 5, 6})}},
         {"zero_copies", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({3}, {0, 1, -1})}, {f32({2, 1, 3}, {1, 2, 3, 4, 5, 6})}},
         {"zero_stays_zero", {f32({0, 3}, {}), i64({2}, {3, 0})}, {f32({3, 0}, {})}, {attr("allowzero", 1)}},
         {"to_scalar", {f32({1, 1}, {7}), i64({0}, {})}, {f32(7)}},
         {"strings", {str({2}, {"a", "bc"}), i64({2}, {2, 1})}, {str({2, 1}, {"a", "bc"})}});
OP_REJECTS(Reshape, "more than one -1", {f32({2}, {0}), i64({2}, {-1, -1})});
OP_REJECTS(Reshape, "cannot become", {f32({2}, {0}), i64({1}, {3})});
OP_REJECTS(Reshape, "do not divide", {f32({5}, {0}), i64({2}, {-1, 2})});
OP_REJECTS(Reshape, "ambiguous", {f32({0}, {}), i64({2}, {-1, 0})}, {attr("allowzero", 1)});
