#include "ops/testing/op_case.h"

OP_CASES(Range, {"up", {i64(3), i64(9), i64(3)}, {i64({2}, {3, 6})}},
         {"down", {i32({}, {10}), i32({}, {4}), i32({}, {-2})}, {i32({3}, {10, 8, 6})}},
         {"floats", {f32(1), f32(2), f32(0.25)}, {f32({4}, {1, 1.25, 1.5, 1.75})}},
         {"empty", {i64(3), i64(3), i64(1)}, {i64({0}, {})}},
         {"extremes",
          {i64(std::numeric_limits<int64_t>::min()), i64(std::numeric_limits<int64_t>::max()),
           i64(std::numeric_limits<int64_t>::max())},
          {i64({3}, {std::numeric_limits<int64_t>::min(), -1, std::numeric_limits<int64_t>::max() - 1})}});
OP_REJECTS(Range, "delta is 0", {i64(0), i64(1), i64(0)});
OP_REJECTS(Range, "no finite range", {f32(0), f32(kInf), f32(1)});
OP_REJECTS(Range, "a scalar is wanted", {i64({2}, {0, 1}), i64(1), i64(1)});
OP_CASES(Range, {"doubles_down", {f64({}, {1}), f64({}, {-1}), f64({}, {-0.5})}, {f64({4}, {1, 0.5, 0, -0.5})}},
         {"half", {f16({}, {1}), f16({}, {3}), f16({}, {1})}, {f16({2}, {1, 2})}},
         {"many_thirds",
          {f32(0), f32(3), f32(0.3)},
          {f32({10},
               {0, 0.3F, 0.6F, 0.3F * 3.0, 0.3F * 4.0, 0.3F * 5.0, 0.3F * 6.0, 0.3F * 7.0, 0.3F * 8.0, 0.3F * 9.0})}},
         {"short",
          {tensor(DType::i16, {}, {32000}), tensor(DType::i16, {}, {32767}), tensor(DType::i16, {}, {500})},
          {tensor(DType::i16, {2}, {32000, 32500})}});
