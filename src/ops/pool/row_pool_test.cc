// Pools by lines against the references: strides, gaps, long windows, long lines, types, indices.
#include "ops/testing/op_case.h"

namespace {
using Ints = std::vector<int64_t>;
std::vector<sdx::Shape> planes(uint32_t r) { return {{1 + r % 2, 1 + r % 7, 5 + r * 7 % 40, 7 + r * 3 % 61}}; }
std::vector<sdx::Shape> small_planes(uint32_t r) { return {{1 + r % 3, 1 + r * 5 % 90, 4 + r % 4, 4 + r % 9}}; }
std::vector<sdx::Shape> long_lines(uint32_t r) { return {{1, 1 + r % 2, 4000 + r * 397}}; }
std::vector<sdx::Shape> columns(uint32_t r) { return {{1, 3, 9 + r * 17 % 300, 1}}; }
std::vector<sdx::Shape> volumes(uint32_t r) { return {{1, 2, 4 + r % 3, 4 + r % 5, 4 + r % 39}}; }
std::vector<sdx::Shape> wholes(uint32_t r) { return {{1, 1 + r % 3, 20 + r % 5, 20 + r % 7}}; }
}  // namespace

OP_SWEEP(MaxPool, .types = {DType::f32, DType::f64, DType::bf16, DType::u8, DType::i8},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("pads", Ints{1, 1, 1, 1})}, .low = -100, .high = 100,
         .shapes = small_planes);
OP_SWEEP(MaxPool, .types = {DType::f32, DType::f16, DType::u8},
         .attributes = {attr("kernel_shape", Ints{2, 2}), attr("strides", Ints{2, 2}), attr("ceil_mode", 1)}, .low = 0,
         .high = 200, .shapes = planes);
OP_SWEEP(MaxPool, .types = {DType::f32, DType::f64, DType::i8},
         .attributes = {attr("kernel_shape", Ints{4, 5}), attr("strides", Ints{3, 4}), attr("pads", Ints{3, 4, 3, 4})},
         .shapes = planes);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{19}), attr("strides", Ints{7}), attr("pads", Ints{18, 18})},
         .shapes = long_lines);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{3}), attr("dilations", Ints{700})}, .shapes = long_lines);
OP_SWEEP(MaxPool,
         .attributes = {attr("kernel_shape", Ints{5, 1}), attr("strides", Ints{2, 1}), attr("pads", Ints{2, 0, 2, 0})},
         .shapes = columns);
OP_SWEEP(MaxPool, .types = {DType::f32, DType::u8},
         .attributes = {attr("kernel_shape", Ints{2, 3, 3}), attr("strides", Ints{1, 2, 2}),
                        attr("pads", Ints{1, 1, 1, 1, 1, 1})},
         .low = 0, .high = 200, .shapes = volumes);
OP_SWEEP(MaxPool, .outputs = 2, .types = {DType::f32, DType::f64, DType::f16, DType::u8, DType::i8},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("strides", Ints{2, 2}), attr("pads", Ints{1, 1, 1, 1})},
         .low = -2, .high = 3, .shapes = planes);
OP_SWEEP(MaxPool, .outputs = 2, .types = {DType::f32, DType::i8},
         .attributes = {attr("kernel_shape", Ints{2, 4}), attr("strides", Ints{1, 3}), attr("dilations", Ints{2, 1}),
                        attr("auto_pad", "SAME_UPPER"), attr("storage_order", 1)},
         .low = -2, .high = 3, .shapes = small_planes);
OP_SWEEP(MaxPool, .outputs = 2, .attributes = {attr("kernel_shape", Ints{3}), attr("pads", Ints{2, 2})},
         .shapes = long_lines);
OP_SWEEP(MaxPool, .outputs = 2, .attributes = {attr("kernel_shape", Ints{2, 2, 2}), attr("strides", Ints{2, 2, 2})},
         .low = -1, .high = 1, .shapes = volumes);
OP_CASES(MaxPool,
         {"indices_of_minus_infinity_and_nan",
          {f32({1, 1, 6}, {-kInf, -kInf, 1, kNaN, kNaN, 2})},
          {f32({1, 1, 3}, {-kInf, kNaN, kNaN}), i64({1, 1, 3}, {0, 3, 4})},
          {attr("kernel_shape", Ints{2}), attr("strides", Ints{2})}},
         {"indices_in_padding",
          {f32({1, 1, 2}, {-kInf, 3})},
          {f32({1, 1, 3}, {-kInf, 3, 3}), i64({1, 1, 3}, {0, 1, 1})},
          {attr("kernel_shape", Ints{2}), attr("pads", Ints{1, 1})}});

OP_SWEEP(AveragePool, .types = {DType::f32, DType::f64, DType::f16, DType::bf16},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("pads", Ints{1, 1, 1, 1})}, .special_values = false,
         .shapes = small_planes);
OP_SWEEP(AveragePool, .types = {DType::f32, DType::f64},
         .attributes = {attr("kernel_shape", Ints{2, 3, 3}), attr("strides", Ints{1, 2, 2}),
                        attr("pads", Ints{1, 1, 1, 1, 1, 1}), attr("count_include_pad", 1)},
         .special_values = false, .shapes = volumes);
OP_SWEEP(AveragePool, .types = {DType::f32, DType::f16, DType::f64}, .attributes = {attr("kernel_shape", Ints{20, 20})},
         .special_values = false, .shapes = wholes);
OP_SWEEP(AveragePool,
         .attributes = {attr("kernel_shape", Ints{600}), attr("strides", Ints{500}), attr("pads", Ints{100, 0})},
         .special_values = false, .shapes = long_lines);
OP_SWEEP(AveragePool, .attributes = {attr("kernel_shape", Ints{30}), attr("strides", Ints{10})},
         .special_values = false, .shapes = long_lines);

OP_SWEEP(LpPool, .types = {DType::f32, DType::f16, DType::f64},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("strides", Ints{2, 2}), attr("pads", Ints{1, 1, 1, 1})},
         .special_values = false, .shapes = planes);
OP_SWEEP(LpPool,
         .attributes = {attr("kernel_shape", Ints{2, 3}), attr("p", 1), attr("ceil_mode", 1),
                        attr("strides", Ints{2, 3})},
         .special_values = false, .shapes = planes);
OP_SWEEP(LpPool, .attributes = {attr("kernel_shape", Ints{2, 2, 2}), attr("p", 3)}, .special_values = false,
         .shapes = volumes);
OP_CASES(LpPool,
         {"infinite", {f32({1, 1, 3}, {-kInf, 0, 1})}, {f32({1, 1, 2}, {kInf, 1})}, {attr("kernel_shape", Ints{2})}});

OP_CASES(MaxUnpool,
         {"last_of_equal_places",
          {f64({1, 1, 2}, {5, 7}), i64({1, 1, 2}, {1, 1})},
          {f64({1, 1, 4}, {0, 7, 0, 0})},
          {attr("kernel_shape", Ints{2}), attr("strides", Ints{2})}},
         {"float16",
          {f16({1, 1, 2}, {5, 7}), i64({1, 1, 2}, {3, 0})},
          {f16({1, 1, 4}, {7, 0, 0, 5})},
          {attr("kernel_shape", Ints{2}), attr("strides", Ints{2})}});
OP_SWEEP(GlobalLpPool, .types = {DType::f32, DType::f16}, .special_values = false, .shapes = small_planes);
OP_SWEEP(GlobalLpPool, .attributes = {attr("p", 1)}, .shapes = planes);
OP_SWEEP(
    AveragePool, .attributes = {attr("kernel_shape", Ints{4, 4}), attr("pads", Ints{0, 0, 1, 2})},
    .special_values = false, .shapes = [](uint32_t) {
      return std::vector<sdx::Shape>{{2, 70, 4, 4}};
    });
OP_SWEEP(
    MaxPool, .types = {DType::f32, DType::f64}, .attributes = {attr("kernel_shape", Ints{4, 4})},
    .shapes = [](uint32_t r) {
      return std::vector<sdx::Shape>{{1 + r % 2, 70, 4, 4 + r % 2}};
    });
