#include "ops/testing/op_case.h"

OP_CASES(CenterCropPad, {"crop", {i64({5}, {1, 2, 3, 4, 5}), i64({1}, {2})}, {i64({2}, {2, 3})}},
         {"pad", {i64({2}, {1, 2}), i64({1}, {5})}, {i64({5}, {0, 1, 2, 0, 0})}},
         {"both", {f32({1, 3}, {1, 2, 3}), i32({2}, {2, 1})}, {f32({2, 1}, {2, 0})}},
         {"axes",
          {str({1, 2}, {"a", "b"}), i64({1}, {3})},
          {str({1, 3}, {"a", "b", ""})},
          {attr("axes", std::vector<int64_t>{-1})}});
OP_REJECTS(CenterCropPad, "for 2 axes", {f32({1, 3}, {0}), i64({1}, {1})});
