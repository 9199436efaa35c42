#include "ops/testing/op_case.h"

// One key: its value, whatever the scores. Equal scores: the mean.
OP_CASES_IN("ai.onnx.preview", FlexAttention,
            {"one_key",
             {f32({1, 1, 2, 2}, {1, 2, 3, 4}), f32({1, 1, 1, 2}, {5, 6}), f32({1, 1, 1, 3}, {7, 8, 9})},
             {f32({1, 1, 2, 3}, {7, 8, 9, 7, 8, 9})}},
            {"equal_scores_in_groups",
             {f32({1, 2, 1, 1}, {1, 2}), f32({1, 1, 2, 1}, {3, 3}), f32({1, 1, 2, 1}, {1, 5})},
             {f32({1, 2, 1, 1}, {3, 3})}});
OP_REJECTS_IN("ai.onnx.preview", FlexAttention, "rank",
              {f32({1, 1, 1}, {0}), f32({1, 1, 1}, {0}), f32({1, 1, 1}, {0})});
