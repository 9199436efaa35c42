#include "ops/testing/op_case.h"

// Values from numpy: np.add.at(data, (..., indices), updates) and its like.
OP_CASES_IN("sardonyx", ScatterRows,
            {"later_rows_replace",
             {f32({3, 2}, {1, 2, 3, 4, 5, 6}), i64({3}, {2, 0, 2}), f32({3, 2}, {10, 20, 30, 40, 50, 60})},
             {f32({3, 2}, {30, 40, 3, 4, 50, 60})}},
            {"rows_add_up",
             {f32({3, 2}, {1, 2, 3, 4, 5, 6}), i64({3, 1}, {2, 0, -1}), f32({3, 2}, {10, 20, 30, 40, 50, 60})},
             {f32({3, 2}, {31, 42, 3, 4, 65, 86})},
             {attr("reduction", "add")}},
            {"last_axis",
             {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({2}, {1, 1}), f32({2, 2}, {10, 20, 30, 40})},
             {f32({2, 3}, {1, 400, 3, 4, 6000, 6})},
             {attr("axis", -1), attr("reduction", "mul")}},
            {"middle_axis",
             {f32({2, 2, 1}, {1, 2, 3, 4}), i64({1}, {1}), f32({2, 1, 1}, {5, 0})},
             {f32({2, 2, 1}, {1, 5, 3, 4})},
             {attr("axis", 1), attr("reduction", "max")}},
            {"least_and_no_number",
             {f32({2, 2}, {1, 2, 3, 4}), i64({2}, {0, 1}), f32({2, 2}, {kNaN, 0, 5, 2})},
             {f32({2, 2}, {kNaN, 0, 3, 2})},
             {attr("reduction", "min")}},
            {"no_updates", {f32({2, 1}, {1, 2}), i64({0}, {}), f32({0, 1}, {})}, {f32({2, 1}, {1, 2})}},
            {"no_columns", {f32({2, 0}, {}), i64({1}, {1}), f32({1, 0}, {})}, {f32({2, 0}, {})}});

OP_REJECTS_IN("sardonyx", ScatterRows, "index 2 is outside [-2, 2)",
              {f32({2, 1}, {0, 0}), i64({1}, {2}), f32({1, 1}, {0})});
OP_REJECTS_IN("sardonyx", ScatterRows, "indices and rows of updates: 2 and 1 differ",
              {f32({2, 1}, {0, 0}), i64({2}, {0, 0}), f32({1, 1}, {0})});
OP_REJECTS_IN("sardonyx", ScatterRows, "dimension 1 of data and updates: 1 and 2 differ",
              {f32({2, 1}, {0, 0}), i64({1}, {0}), f32({1, 2}, {0, 0})});
OP_REJECTS_IN("sardonyx", ScatterRows, "data has rank 2, updates have rank 1",
              {f32({2, 1}, {0, 0}), i64({1}, {0}), f32({1}, {0})});
