#include "ops/testing/op_case.h"

OP_CASES(Mod, {"sign_of_divisor", {i64({4}, {7, -7, 7, -7}), i64({4}, {3, 3, -3, -3})}, {i64({4}, {1, 2, -2, -1})}},
         {"sign_of_dividend",
          {i64({4}, {7, -7, 7, -7}), i64({4}, {3, 3, -3, -3})},
          {i64({4}, {1, -1, 1, -1})},
          {attr("fmod", 1)}},
         {"lowest", {i64({1}, {INT64_MIN}), i64({1}, {-1})}, {i64({1}, {0})}},
         {"floats",
          {f32({6}, {5.5, -5.5, kInf, 1, 1, -2}), f32({6}, {2, 2, 2, 0, -kInf, kInf})},
          {f32({6}, {1.5, 0.5, kNaN, kNaN, -kInf, kInf})}},
         {"float_fmod",
          {f32({4}, {5.5, -5.5, kInf, 1}), f32({4}, {2, 2, 2, kInf})},
          {f32({4}, {1.5, -1.5, kNaN, 1})},
          {attr("fmod", 1)}},
         {"broadcast_u8", {u8({3}, {7, 8, 255}), u8({1}, {4})}, {u8({3}, {3, 0, 3})}});
OP_REJECTS(Mod, "division by zero", {i64({1}, {1}), i64({1}, {0})});
OP_REJECTS(Mod, "must be 0 or 1", {i64({1}, {1}), i64({1}, {2})}, {attr("fmod", 2)});
OP_SWEEP(Mod, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64},
         .low = 1, .high = 120, .special_values = false, .broadcast = true);
OP_SWEEP(Mod, .inputs = 2, .types = {DType::i8, DType::i16, DType::i32, DType::i64}, .low = -120, .high = -1,
         .special_values = false, .broadcast = true);
OP_SWEEP(Mod, .inputs = 2, .types = {DType::f32, DType::f16, DType::f64}, .low = -9, .high = 9, .broadcast = true);
OP_SWEEP(Mod, .inputs = 2,
         .types = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16, DType::u32, DType::u64},
         .attributes = {attr("fmod", 1)}, .low = 1, .high = 120, .special_values = false, .broadcast = true);
OP_SWEEP(Mod, .inputs = 2, .types = {DType::i8, DType::i16, DType::i32, DType::i64}, .attributes = {attr("fmod", 1)},
         .low = -120, .high = -1, .special_values = false, .broadcast = true);
OP_SWEEP(Mod, .inputs = 2, .types = {DType::f32, DType::f16, DType::f64}, .attributes = {attr("fmod", 1)}, .low = -9,
         .high = 9, .broadcast = true);
OP_CASES(Mod, {"signs", {i64({4}, {-7, 7, -7, 7}), i64({4}, {3, -3, -3, 3})}, {i64({4}, {2, -2, -1, 1})}},
         {"lowest", {i64({2}, {INT64_MIN, INT64_MIN}), i64({2}, {-1, 10})}, {i64({2}, {0, 2})}},
         {"lowest_short", {i32({2}, {INT32_MIN, INT32_MIN}), i32({2}, {-1, 10})}, {i32({2}, {0, 2})}});
// Quotients beyond 2^29, no numbers and infinities among others.
OP_CASES(Mod,
         {"far",
          {f32({9}, {1e30, 5.5, -5.5, kInf, kNaN, 3, -3, -0.0, 1e-40}),
           f32({9}, {3, 2, 2, 2, 2, kInf, kInf, 2, 3e-45})},
          {f32({9}, {0, 1.5, -1.5, kNaN, kNaN, 3, -3, -0.0, 0})},
          {attr("fmod", 1)}},
         {"by_zero", {f32({2}, {1, 0}), f32({2}, {0, 0})}, {f32({2}, {kNaN, kNaN})}, {attr("fmod", 1)}});
