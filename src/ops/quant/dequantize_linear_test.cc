#include "ops/testing/op_case.h"

OP_CASES(DequantizeLinear,
         {"per_tensor", {u8({4}, {0, 3, 128, 255}), f32(2), u8({}, {128})}, {f32({4}, {-256, -250, 0, 254})}},
         {"per_axis",
          {i8({2, 2}, {1, 2, 3, 4}), f32({2}, {2, 4}), i8({2}, {0, -1})},
          {f32({2, 2}, {2, 4, 16, 20})},
          {attr("axis", 0)}},
         {"last_axis", {i8({2, 2}, {1, 2, 3, 4}), f32({2}, {2, 4})}, {f32({2, 2}, {2, 8, 6, 16})}},
         {"blocked",
          {tensor_i64_values(DType::u4, {1, 5}, {1, 2, 3, 4, 15}), f32({1, 3}, {1, 2, 3})},
          {f32({1, 5}, {1, 2, 6, 8, 45})},
          {attr("block_size", 2)}},
         {"int32", {i32({2}, {2147483647, -5}), f32(1)}, {f32({2}, {2147483648.0, -5})}},
         {"float16", {i8({1}, {3}), f16({}, {0.5})}, {f16({1}, {1.5})}},
         {"output_dtype", {i8({1}, {3}), f32(0.5)}, {f16({1}, {1.5})}, {attr("output_dtype", 10)}},
         {"float8", {tensor(DType::f8e5m2, {2}, {-3, kNaN}), f32(2)}, {f32({2}, {-6, kNaN})}});
OP_REJECTS(DequantizeLinear, "block_size", {i8({2}, {0}), f32(1)}, {attr("block_size", -1)});
OP_SWEEP(DequantizeLinear, .types = {DType::u8, DType::i8}, .low = -128, .high = 255, .fixed_inputs = {f32(0.37)});
OP_SWEEP(
    DequantizeLinear, .types = {DType::i8}, .attributes = {attr("axis", -1)}, .low = -128, .high = 127,
    .shapes =
        [](uint32_t round) {
          return std::vector<::sdx::Shape>{{1 + round, 3}};
        },
    .fixed_inputs = {f32({3}, {0.5, 1, 2}), i8({3}, {0, -1, 100})});
OP_SWEEP(DequantizeLinear, .types = {DType::u16, DType::i16, DType::i32, DType::u4, DType::i4}, .low = -20000,
         .high = 60000, .fixed_inputs = {f32(0.37)});
OP_SWEEP(DequantizeLinear, .types = {DType::u8, DType::i8, DType::u4}, .low = -128, .high = 255,
         .fixed_inputs = {f16({}, {0.37})});
OP_SWEEP(
    DequantizeLinear, .types = {DType::i4}, .attributes = {attr("axis", -1), attr("block_size", 4)}, .low = -8,
    .high = 7,
    .shapes =
        [](uint32_t) {
          return std::vector<::sdx::Shape>{{2, 7}};
        },
    .fixed_inputs = {f32({2, 2}, {0.5, 1, 2, 4}), tensor_i64_values(DType::i4, {2, 2}, {1, -2, 3, 0})});

OP_CASES_IN("com.microsoft", DequantizeLinear,
            {"each_row",
             {u8({2, 3}, {10, 12, 0, 1, 255, 2}), f32({2}, {2, 4}), u8({2}, {10, 1})},
             {f32({2, 3}, {0, 4, -20, 0, 1016, 4})},
             {attr("axis", 0)}},
            {"one_scale", {i8({3}, {-128, 3, 127}), f32(0.5), i8({}, {3})}, {f32({3}, {-65.5, 0, 62})}});
