#include "ops/testing/op_case.h"

OP_CASES(ConstantOfShape, {"zeros", {i64({2}, {2, 1})}, {f32({2, 1}, {0, 0})}},
         {"scalar", {i64({0}, {})}, {i64(7)}, {{"value", i64({1}, {7}).tensor()}}},
         {"halves", {i64({2}, {3, 1})}, {f16({3, 1}, {1.5, 1.5, 1.5})}, {{"value", f16({1}, {1.5}).tensor()}}},
         {"bytes", {i64({1}, {3})}, {u8({3}, {9, 9, 9})}, {{"value", u8({1}, {9}).tensor()}}},
         {"strings", {i64({1}, {2})}, {str({2}, {"ab", "ab"})}, {{"value", str({1}, {"ab"}).tensor()}}},
         {"empty", {i64({2}, {0, 3})}, {i64({0, 3}, {})}, {{"value", i64({1}, {7}).tensor()}}},
         {"packed",
          {i64({1}, {3})},
          {tensor_i64_values(DType::i4, {3}, {-2, -2, -2})},
          {{"value", tensor_i64_values(DType::i4, {1}, {-2}).tensor()}}});
OP_REJECTS(ConstantOfShape, "negative", {i64({1}, {-1})});
OP_REJECTS(ConstantOfShape, "one is wanted", {i64({1}, {1})}, {{"value", i64({2}, {7, 8}).tensor()}});
