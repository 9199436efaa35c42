#include "ops/testing/op_case.h"

OP_CASES(ReverseSequence,
         {"time_first", {f32({3, 2}, {0, 3, 1, 4, 2, 5}), i64({2}, {3, 2})}, {f32({3, 2}, {2, 4, 1, 3, 0, 5})}},
         {"batch_first",
          {str({2, 2}, {"a", "b", "c", "d"}), i64({2}, {1, 2})},
          {str({2, 2}, {"a", "b", "d", "c"})},
          {attr("batch_axis", 0), attr("time_axis", 1)}});
OP_REJECTS(ReverseSequence, "outside [0, 3]", {f32({3, 2}, {0}), i64({2}, {4, 2})});
OP_REJECTS(ReverseSequence, "one is 0 and the other 1", {f32({3, 2}, {0}), i64({2}, {1, 2})}, {attr("batch_axis", 0)});
