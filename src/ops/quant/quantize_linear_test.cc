#include "ops/testing/op_case.h"

OP_CASES(QuantizeLinear,
         {"ties_to_even",
          {f32({6}, {1, 3, 5, -1, -3, 1000}), f32(2), u8({}, {10})},
          {u8({6}, {10, 12, 12, 10, 8, 255})}},
         {"default_is_uint8", {f32({3}, {-1, 2, 300}), f32(1)}, {u8({3}, {0, 2, 255})}},
         {"nan_and_infinity", {f32({3}, {kNaN, kInf, -kInf}), f32(1), i8({}, {3})}, {i8({3}, {-128, 127, -128})}},
         {"per_axis",
          {f32({2, 2, 2}, {2, 4, 6, 8, 10, 12, 14, 16}), f32({2}, {2, 4}), u8({2}, {1, 2})},
          {u8({2, 2, 2}, {2, 3, 4, 4, 6, 7, 6, 6})}},
         {"last_axis",
          {f32({2, 2}, {2, 4, 6, 8}), f32({2}, {2, 4}), u8({2}, {1, 2})},
          {u8({2, 2}, {2, 3, 4, 4})},
          {attr("axis", -1)}},
         {"blocked_with_a_short_block",
          {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({2, 2}, {1, 2, 1, 3})},
          {i8({2, 3}, {1, 2, 2, 4, 5, 2})},
          {attr("block_size", 2), attr("output_dtype", 3)}},
         {"blocked_rows",
          {f32({3, 2}, {1, 2, 3, 4, 5, 6}), f32({2, 2}, {1, 2, 5, 3})},
          {u8({3, 2}, {1, 1, 3, 2, 1, 2})},
          {attr("block_size", 2), attr("axis", 0)}},
         {"int4",
          {f32({3}, {-20, 3, 20}), f32(1)},
          {tensor_i64_values(DType::i4, {3}, {-8, 3, 7})},
          {attr("output_dtype", 22)}},
         {"int2",
          {f32({3}, {-20, 1, 20}), f32(1)},
          {tensor_i64_values(DType::i2, {3}, {-2, 1, 1})},
          {attr("output_dtype", 26)}},
         {"float8",
          {f32({3}, {1.06, -1e6, 448}), f32(1)},
          {tensor(DType::f8e4m3fn, {3}, {1, -448, 448})},
          {attr("output_dtype", 17)}},
         {"float8_without_saturation",
          {f32({2}, {1, 1e6}), f32(1)},
          {tensor(DType::f8e4m3fn, {2}, {1, kNaN})},
          {attr("output_dtype", 17), attr("saturate", 0)}},
         {"int32", {i32({2}, {7, -9}), tensor(DType::f32, {}, {2}), i8({}, {0})}, {i8({2}, {4, -4})}},
         {"empty", {f32({0}, {}), f32(1)}, {u8({0}, {})}});
OP_REJECTS(QuantizeLinear, "scale has shape", {f32({2, 3}, {0}), f32({2}, {1, 1})});
OP_REJECTS(QuantizeLinear, "outside", {f32({2, 3}, {0}), f32({2}, {1, 1})}, {attr("axis", 2)});
OP_REJECTS(QuantizeLinear, "output_dtype", {f32({2}, {0}), f32(1)}, {attr("output_dtype", 1)});
OP_REJECTS(QuantizeLinear, "zero point", {f32({2, 2}, {0}), f32({2}, {1, 1}), u8({3}, {0})});
OP_REJECTS(QuantizeLinear, "does not cut", {f32({2, 3}, {0}), f32({2, 1}, {1, 1})}, {attr("block_size", 2)});
OP_SWEEP(QuantizeLinear, .low = -200, .high = 200, .fixed_inputs = {f32(0.37), u8({}, {7})});
OP_SWEEP(QuantizeLinear, .low = -200, .high = 200, .fixed_inputs = {f32(0.5), i8({}, {-7})});
OP_SWEEP(
    QuantizeLinear, .attributes = {attr("axis", 1)}, .low = -200, .high = 200,
    .shapes =
        [](uint32_t round) {
          return std::vector<::sdx::Shape>{{3, 5, 1 + round % 19}};
        },
    .fixed_inputs = {f32({5}, {0.5, 1, 2, 4, 3}), i8({5}, {0, 1, -128, 127, 5})});
OP_SWEEP(
    QuantizeLinear, .attributes = {attr("axis", -1), attr("block_size", 3)},
    .shapes =
        [](uint32_t) {
          return std::vector<::sdx::Shape>{{2, 7}};
        },
    .fixed_inputs = {f32({2, 3}, {0.5, 1, 2, 0.25, 0.125, 0.75}), u8({2, 3}, {0, 1, 2, 3, 4, 5})});
OP_SWEEP(
    QuantizeLinear, .attributes = {attr("axis", 0), attr("block_size", 2)},
    .shapes =
        [](uint32_t) {
          return std::vector<::sdx::Shape>{{3, 2}};
        },
    .fixed_inputs = {f32({2, 2}, {0.5, 1, 2, 0.25}), u8({2, 2}, {0, 1, 2, 3})});
// Long enough for the way of many elements.
OP_SWEEP(
    QuantizeLinear, .low = -20, .high = 20,
    .shapes =
        [](uint32_t round) {
          return std::vector<::sdx::Shape>{{7, 100 + 37 * round}};
        },
    .fixed_inputs = {f32(0.125), u8({}, {100})});
OP_SWEEP(QuantizeLinear, .low = -200, .high = 200,
         .fixed_inputs = {f32(0.37), tensor_i64_values(DType::u16, {}, {700})});
OP_SWEEP(QuantizeLinear, .low = -9000, .high = 9000,
         .fixed_inputs = {f32(0.25), tensor_i64_values(DType::i16, {}, {-70})});
OP_SWEEP(QuantizeLinear, .low = -9, .high = 9, .fixed_inputs = {f32(0.75), tensor_i64_values(DType::i4, {}, {-1})});
OP_SWEEP(QuantizeLinear, .low = -9, .high = 9, .fixed_inputs = {f32(0.75), tensor_i64_values(DType::u4, {}, {5})});
OP_SWEEP(QuantizeLinear, .types = {DType::f16}, .low = -90, .high = 90, .fixed_inputs = {f16({}, {0.37}), u8({}, {5})});
OP_SWEEP(
    QuantizeLinear, .types = {DType::f16}, .attributes = {attr("axis", 1)}, .low = -200, .high = 200,
    .shapes =
        [](uint32_t round) {
          return std::vector<::sdx::Shape>{{3, 5, 1 + round % 19}};
        },
    .fixed_inputs = {f16({5}, {0.5, 1, 2, 4, 3}), i8({5}, {0, 1, -128, 127, 5})});
OP_SWEEP(
    QuantizeLinear, .attributes = {attr("axis", -1), attr("block_size", 3)},
    .shapes =
        [](uint32_t) {
          return std::vector<::sdx::Shape>{{2, 9}};
        },
    .fixed_inputs = {f32({2, 3}, {0.5, 1, 2, 0.25, 0.125, 0.75}),
                     tensor_i64_values(DType::i4, {2, 3}, {0, 1, 2, 3, -4, -5})});

OP_CASES_IN("com.microsoft", QuantizeLinear,
            {"ties_to_even_in_each_row",
             {f32({2, 3}, {1, 3, 5, -2, -6, 1000}), f32({2}, {2, 4}), u8({2}, {10, 1})},
             {u8({2, 3}, {10, 12, 12, 1, 0, 251})},
             {attr("axis", 0)}},
            {"one_scale", {f32({4}, {-1, 2, 3, -300}), f32(2), i8({}, {3})}, {i8({4}, {3, 4, 5, -128})}});
