#include "ops/testing/op_case.h"

OP_CASES(Clip, {"nan_survives", {f32({4}, {-9, kNaN, 1, 9}), f32(-3), f32(5)}, {f32({4}, {-3, kNaN, 1, 5})}},
         {"no_bounds", {f32({2}, {-9, 9}), none, none}, {f32({2}, {-9, 9})}},
         {"a_bound_that_is_no_number", {f32({3}, {-9, 2, 9}), f32(0), f32(kNaN)}, {f32({3}, {0, 2, 9})}},
         {"only_max", {f32({3}, {-kInf, 9, kInf}), none, f32(5)}, {f32({3}, {-kInf, 5, 5})}},
         {"max_wins_over_min", {f32({2}, {0, 9}), f32(7), f32(5)}, {f32({2}, {5, 5})}},
         {"empty", {f32({0, 3}, {}), f32(0), f32(1)}, {f32({0, 3}, {})}},
         {"bounds_of_one_element", {f32({3}, {-9, 2, 9}), f32({1}, {0}), f32({1}, {5})}, {f32({3}, {0, 2, 5})}},
         {"integers", {i64({3}, {-9, 2, 9}), i64(0), i64(5)}, {i64({3}, {0, 2, 5})}});
OP_REJECTS(Clip, "bounds must be scalars", {f32({4}, {0}), f32({2}, {0, 1}), none});
OP_REJECTS(Clip, "bound has rank 2", {f32({4}, {0}), none, f32({1, 1}, {0})});
OP_SWEEP(Clip, .fixed_inputs = {f32(-1.5), f32(2.25)});
OP_SWEEP(Clip, .types = {DType::f16}, .fixed_inputs = {f16({}, {-1.5}), f16({}, {2.25})});
OP_SWEEP(Clip, .types = {DType::f64}, .fixed_inputs = {f64({}, {-1.5}), none});
OP_SWEEP(Clip, .types = {DType::i8}, .low = -100, .high = 100, .fixed_inputs = {i8({}, {-15}), i8({}, {90})});
OP_SWEEP(Clip, .types = {DType::u8}, .low = 0, .high = 200, .fixed_inputs = {none, u8({}, {90})});
OP_SWEEP(Clip, .types = {DType::i32}, .low = -100, .high = 100, .fixed_inputs = {i32({}, {-15})});
