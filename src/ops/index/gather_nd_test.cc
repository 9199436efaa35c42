#include "ops/testing/op_case.h"

OP_CASES(GatherND, {"elements", {i32({2, 2}, {0, 1, 2, 3}), i64({2, 2}, {0, 0, 1, -1})}, {i32({2}, {0, 3})}},
         {"slices", {f32({2, 2}, {0, 1, 2, 3}), i64({2, 1}, {1, 0})}, {f32({2, 2}, {2, 3, 0, 1})}},
         {"batch",
          {i64({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}), i64({2, 1}, {1, 0})},
          {i64({2, 2}, {2, 3, 4, 5})},
          {attr("batch_dims", 1)}},
         {"no_coordinates", {f32({2}, {1, 2}), i64({2, 0}, {})}, {f32({2, 2}, {1, 2, 1, 2})}},
         {"strings", {str({2}, {"a", "b"}), i64({1, 1}, {1})}, {str({1}, {"b"})}});
OP_REJECTS(GatherND, "outside [-2, 2) of dimension 1", {f32({2, 2}, {0}), i64({1, 2}, {0, 2})});
OP_REJECTS(GatherND, "hold 3 coordinates", {f32({2, 2}, {0}), i64({1, 3}, {0})});
OP_REJECTS(GatherND, "not below the ranks", {f32({2, 2}, {0}), i64({2}, {0, 0})}, {attr("batch_dims", 1)});
OP_CASES(GatherND, {"words", {u8({3}, {7, 8, 9}), i64({4, 1}, {2, -3, 1, 1})}, {u8({4}, {9, 7, 8, 8})}},
         {"doubles", {f64({2, 2}, {0, 1, 2, kNaN}), i64({2, 2}, {1, 1, 0, 1})}, {f64({2}, {kNaN, 1})}},
         {"batch_of_elements",
          {f16({2, 3}, {0, 1, 2, 3, 4, 5}), i64({2, 1}, {2, 0})},
          {f16({2}, {2, 3})},
          {attr("batch_dims", 1)}},
         {"none", {f32({2, 2}, {0}), i64({0, 1}, {})}, {f32({0, 2}, {})}});
