#include "ops/testing/op_case.h"

// Values from numpy: x * cos + concatenate([-x2, x1]) * sin.
OP_CASES_IN("sardonyx", RotateHalf,
            {"halves",
             {f32({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({1, 1, 2, 4}, {1, 0, 1, 2, 1, 1, 0, 0}),
              f32({2, 4}, {0, 1, 2, 1, 1, 2, 1, 2})},
             {f32({1, 1, 2, 4}, {1, -4, 5, 10, -2, -10, 5, 12})}},
            {"neighbours",
             {f32({1, 2, 1, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({4}, {1, 1, 2, 2}),
              f32({1, 2, 1, 4}, {1, 1, 0, 0, 0, 0, 1, 1})},
             {f32({1, 2, 1, 4}, {-1, 3, 6, 8, 5, 6, 6, 23})},
             {attr("interleaved", 1)}},
            {"by_position",
             {f32({1, 2, 1, 2}, {1, 2, 3, 4}), f32({1, 1, 2, 2}, {1, 1, 0, 0}), f32({1, 1, 2, 2}, {0, 0, 1, 1})},
             {f32({1, 2, 1, 2}, {1, 2, -4, 3})},
             {attr("by_position", 1)}},
            {"no_number_and_infinity",
             {f32({1, 1, 1, 2}, {kNaN, kInf}), f32({2}, {1, 1}), f32({2}, {1, 1})},
             {f32({1, 1, 1, 2}, {kNaN, kNaN})}},
            {"no_rows", {f32({1, 0, 1, 2}, {}), f32({2}, {1, 1}), f32({2}, {1, 1})}, {f32({1, 0, 1, 2}, {})}});

OP_REJECTS_IN("sardonyx", RotateHalf, "an even number is wanted",
              {f32({1, 1, 1, 3}, {1, 2, 3}), f32({3}, {1, 1, 1}), f32({3}, {1, 1, 1})});
OP_REJECTS_IN("sardonyx", RotateHalf, "dimension 0 of cos is 3, 1 or 2 is wanted",
              {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({3, 2}, {1, 1, 1, 1, 1, 1}), f32({2}, {1, 1})});
