#include "ops/testing/op_case.h"

OP_CASES(Compress, {"flat", {f32({2, 2}, {1, 2, 3, 4}), boolean({3}, {0, 1, 1})}, {f32({2}, {2, 3})}},
         {"columns", {f32({2, 2}, {1, 2, 3, 4}), boolean({2}, {0, 1})}, {f32({2, 1}, {2, 4})}, {attr("axis", -1)}},
         {"strings", {str({2}, {"a", "b"}), boolean({1}, {1})}, {str({1}, {"a"})}});
OP_REJECTS(Compress, "the axis 2", {f32({2}, {1, 2}), boolean({3}, {0, 1, 1})});
