#include "ops/testing/op_case.h"

OP_CASES(Pow, {"floats", {f32({4}, {2, -2, 9, -8}), f32({4}, {3, 2, 0.5, 0.5})}, {f32({4}, {8, 4, 3, kNaN})}},
         {"exponent_two", {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(2)}, {f32({6}, {4, 4, 0, 0, kInf, kInf})}},
         {"exponent_three",
          {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(3)},
          {f32({6}, {8, -8, 0, -0.0, kInf, -kInf})}},
         {"exponent_half",
          {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(0.5)},
          {f32({6}, {1.4142135623730951, kNaN, 0, 0, kInf, kInf})}},
         {"exponent_one", {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(1)}, {f32({6}, {2, -2, 0, -0.0, kInf, -kInf})}},
         {"exponent_minus_one",
          {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(-1)},
          {f32({6}, {0.5, -0.5, kInf, -kInf, 0, -0.0})}},
         {"exponent_zero", {f32({6}, {2, -2, 0, -0.0, kInf, -kInf}), f32(0)}, {f32({6}, {1, 1, 1, 1, 1, 1})}},
         {"integers", {i64({5}, {2, -3, 3, -1, 1}), i64({5}, {10, 3, 0, -3, -5})}, {i64({5}, {1024, -27, 1, -1, 1})}},
         {"integers_wrap", {i32({1}, {10}), i64({1}, {10})}, {i32({1}, {1410065408})}},
         {"integer_base", {i32({2}, {9, 2}), f32({2}, {0.5, 3})}, {i32({2}, {3, 8})}},
         {"integer_exponent", {f32({2}, {2, 0.5}), i64({2}, {3, -1})}, {f32({2}, {8, 2})}});
OP_REJECTS(Pow, "division by zero", {i64({1}, {0}), i64({1}, {-1})});
OP_SWEEP(Pow, .fixed_inputs = {f32(2)});
OP_SWEEP(Pow, .fixed_inputs = {f32(0.5)});
OP_SWEEP(Pow, .inputs = 2, .broadcast = true);
OP_SWEEP(Pow, .inputs = 2, .types = {DType::f16, DType::f64}, .broadcast = true);
OP_SWEEP(Pow, .types = {DType::f32, DType::f16}, .low = 0, .fixed_inputs = {i64(3)});
OP_SWEEP(Pow, .types = {DType::f32, DType::f16}, .low = 0, .fixed_inputs = {f64({1}, {1.1})});
OP_SWEEP(Pow, .types = {DType::f32, DType::f16, DType::bf16}, .fixed_inputs = {f32(-1)});
OP_SWEEP(Pow, .types = {DType::f64}, .fixed_inputs = {f64({}, {2})});
OP_CASES(Pow, {"negative_exponents", {i32({4}, {1, -1, -1, 7}), i32({4}, {-2, -2, -3, -1})}, {i32({4}, {1, 1, -1, 0})}},
         {"long_wraps", {i64({2}, {3, 2}), i64({2}, {41, 64})}, {i64({2}, {-420491770248316829, 0})}});
OP_REJECTS(Pow, "division by zero", {i32({2, 2}, {1, 1, 2, 0}), i32({2}, {1, -1})});
