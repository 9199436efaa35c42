#include "ops/testing/op_case.h"

OP_CASES(Gather, {"rows", {f32({3, 2}, {1, 2, 3, 4, 5, 6}), i64({2}, {2, -3})}, {f32({2, 2}, {5, 6, 1, 2})}},
         {"columns",
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({1, 2}, {0, 2})},
          {f32({2, 1, 2}, {1, 3, 4, 6})},
          {attr("axis", 1)}},
         {"scalar_index", {i64({3}, {7, 8, 9}), i64(1)}, {i64(8)}},
         {"no_index", {f32({0, 2}, {}), i64({0}, {})}, {f32({0, 2}, {})}},
         {"strings", {str({2}, {"a", "b"}), i32({3}, {1, 1, 0})}, {str({3}, {"b", "b", "a"})}},
         {"packed", {tensor_i64_values(DType::u8, {3}, {1, 2, 3}), i64({2}, {2, 0})}, {u8({2}, {3, 1})}});
OP_REJECTS(Gather, "index 3 is outside [-3, 3)", {f32({3}, {0}), i64({1}, {3})});
OP_REJECTS(Gather, "index -4 is outside", {f32({3}, {0}), i32({1}, {-4})});
OP_REJECTS(Gather, "outside", {f32({0}, {}), i64({1}, {0})});
OP_REJECTS(Gather, "a scalar", {f32(0), i64({1}, {0})});
namespace {
std::vector<sdx::Shape> rows(uint32_t round) { return {sdx::Shape{1 + round % 4, 5, round % 13}}; }
}  // namespace
OP_SWEEP(Gather, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .attributes = {attr("axis", 1)},
         .shapes = rows, .fixed_inputs = {i64({2, 3}, {0, -1, 4, 2, -5, 1})});
OP_SWEEP(Gather, .types = {DType::f32}, .shapes = rows, .fixed_inputs = {i32({2}, {0, -1})});
