#include "ops/testing/op_case.h"

OP_CASES(Where,
         {"floats", {boolean({3}, {1, 0, 1}), f32({3}, {1, 2, kNaN}), f32({3}, {4, 5, 6})}, {f32({3}, {1, 5, kNaN})}},
         {"broadcast", {boolean({2, 1}, {1, 0}), i64({2}, {1, 2}), i64(9)}, {i64({2, 2}, {1, 2, 9, 9})}},
         {"strings", {boolean({2}, {1, 0}), str({2}, {"a", "b"}), str({}, {"z"})}, {str({2}, {"a", "z"})}},
         {"booleans", {boolean({2}, {1, 0}), boolean({1}, {1}), boolean({2}, {0, 0})}, {boolean({2}, {1, 0})}},
         {"scalar_condition", {boolean({}, {0}), f64({2}, {1, 2}), f64({2}, {3, 4})}, {f64({2}, {3, 4})}},
         {"all_scalars", {boolean({}, {1}), f16({}, {1}), f16({}, {2})}, {f16({}, {1})}},
         {"empty", {boolean({0}, {}), f32({1}, {1}), f32({1}, {2})}, {f32({0}, {})}});
OP_REJECTS(Where, "do not broadcast", {boolean({2}, {0}), f32({3}, {0}), f32({3}, {0})});
