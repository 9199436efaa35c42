#include "ops/testing/op_case.h"

OP_CASES(Compress, {"flat", {f32({2, 2}, {1, 2, 3, 4}), boolean({3}, {0, 1, 1})}, {f32({2}, {2, 3})}},
         {"columns", {f32({2, 2}, {1, 2, 3, 4}), boolean({2}, {0, 1})}, {f32({2, 1}, {2, 4})}, {attr("axis", -1)}},
         {"strings", {str({2}, {"a", "b"}), boolean({1}, {1})}, {str({1}, {"a"})}});
OP_REJECTS(Compress, "the axis 2", {f32({2}, {1, 2}), boolean({3}, {0, 1, 1})});
OP_CASES(Compress,
         {"rows",
          {f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), boolean({3}, {1, 0, 1})},
          {f32({2, 3}, {1, 2, 3, 7, 8, 9})},
          {attr("axis", 0)}},
         {"middle", {i64({2, 2, 1}, {1, 2, 3, 4}), boolean({2}, {0, 1})}, {i64({2, 1, 1}, {2, 4})}, {attr("axis", 1)}},
         {"bytes", {u8({4}, {1, 2, 3, 4}), boolean({4}, {1, 0, 0, 1})}, {u8({2}, {1, 4})}},
         {"nothing", {f64({2}, {1, 2}), boolean({2}, {0, 0})}, {f64({0}, {})}});
