#include "ops/testing/op_case.h"

namespace {
using Ints = std::vector<int64_t>;
std::vector<sdx::Shape> planes(uint32_t r) { return {{1 + r % 2, 1 + r % 5, 5 + r * 7 % 40, 5 + r * 3 % 61}}; }
std::vector<sdx::Shape> blocks(uint32_t r) { return {{1 + r % 2, 1 + r % 3, 5 + r * 7 % 20, 5 + r * 3 % 31, 16}}; }
std::vector<sdx::Shape> wide_blocks(uint32_t r) { return {{1, 1 + r % 2, 3 + r % 9, 120 + r * 11 % 190, 16}}; }
std::vector<sdx::Shape> block_lines(uint32_t r) { return {{1 + r % 2, 1 + r % 3, 5 + r * 7 % 90, 16}}; }
std::vector<sdx::Shape> deep_blocks(uint32_t r) { return {{1, 1 + r % 2, 4 + r % 3, 5 + r % 7, 5 + r % 11, 16}}; }
std::vector<sdx::Shape> lines(uint32_t r) { return {{2, 3, 5 + r * 17 % 700}}; }
std::vector<sdx::Shape> volumes(uint32_t r) { return {{1, 2, 4 + r % 3, 4 + r % 5, 4 + r % 9}}; }
}  // namespace

OP_CASES(
    MaxPool,
    {"indices_count_the_whole_input",
     {f32({1, 2, 2, 2}, {1, 4, 3, 2, -1, -4, -3, -2})},
     {f32({1, 2, 1, 1}, {4, -1}), i64({1, 2, 1, 1}, {1, 4})},
     {attr("kernel_shape", Ints{2, 2})}},
    {"indices_by_columns",
     {f32({1, 1, 2, 3}, {1, 9, 3, 2, 5, 4})},
     {f32({1, 1, 1, 2}, {9, 9}), i64({1, 1, 1, 2}, {2, 2})},
     {attr("kernel_shape", Ints{2, 2}), attr("storage_order", 1)}},
    {"padding_is_left_out",
     {f32({1, 1, 2}, {-5, -7})},
     {f32({1, 1, 3}, {-5, -5, -7})},
     {attr("kernel_shape", Ints{2}), attr("pads", Ints{1, 1})}},
    {"ceil_drops_a_window_that_begins_in_the_padding",
     {f32({1, 1, 2, 2}, {1, 2, 3, 4})},
     {f32({1, 1, 1, 1}, {1})},
     {attr("kernel_shape", Ints{1, 1}), attr("strides", Ints{2, 2}), attr("ceil_mode", 1)}},
    {"ceil_keeps_a_partial_window",
     {f32({1, 1, 4}, {1, 2, 3, 4})},
     {f32({1, 1, 2}, {3, 4})},
     {attr("kernel_shape", Ints{3}), attr("strides", Ints{2}), attr("ceil_mode", 1)}},
    {"dilations",
     {f32({1, 1, 4}, {4, 9, 3, 2})},
     {f32({1, 1, 2}, {4, 9})},
     {attr("kernel_shape", Ints{2}), attr("dilations", Ints{2})}},
    {"nan_spreads", {f32({1, 1, 4}, {kNaN, 1, 2, 3})}, {f32({1, 1, 3}, {kNaN, 2, 3})}, {attr("kernel_shape", Ints{2})}},
    {"nan_spreads_backward",
     {f32({1, 1, 4}, {1, 2, kNaN, 3})},
     {f32({1, 1, 3}, {2, kNaN, kNaN})},
     {attr("kernel_shape", Ints{2})}},
    {"uint8", {u8({1, 1, 3}, {200, 3, 7})}, {u8({1, 1, 2}, {200, 7})}, {attr("kernel_shape", Ints{2})}},
    {"int8_below_zero", {i8({1, 1, 3}, {-100, -3, -7})}, {i8({1, 1, 2}, {-3, -3})}, {attr("kernel_shape", Ints{2})}},
    {"no_planes", {f32({0, 2, 3}, {})}, {f32({0, 2, 2}, {})}, {attr("kernel_shape", Ints{2})}});
OP_REJECTS(MaxPool, "kernel_shape is missing", {f32({1, 1, 3}, {0})});
OP_REJECTS(MaxPool, "batch, channels and spatial axes", {f32({1, 3}, {0})}, {attr("kernel_shape", Ints{2})});
OP_REJECTS(MaxPool, "storage_order is 2", {f32({1, 1, 3}, {0})},
           {attr("kernel_shape", Ints{2}), attr("storage_order", 2)});
OP_REJECTS(MaxPool, "kernel_shape holds 0", {f32({1, 1, 3}, {0})}, {attr("kernel_shape", Ints{0})});
OP_SWEEP(MaxPool, .types = {DType::f32, DType::f16, DType::bf16},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("strides", Ints{2, 2}), attr("pads", Ints{1, 1, 1, 1})},
         .shapes = planes);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{2, 3}), attr("auto_pad", "SAME_UPPER")}, .shapes = planes);
OP_SWEEP(MaxPool, .types = {DType::f32, DType::f64},
         .attributes = {attr("kernel_shape", Ints{2, 2}), attr("dilations", Ints{2, 3}), attr("strides", Ints{1, 3}),
                        attr("ceil_mode", 1)},
         .shapes = planes);
OP_SWEEP(MaxPool,
         .attributes = {attr("kernel_shape", Ints{3, 2, 1}), attr("strides", Ints{2, 1, 1}),
                        attr("dilations", Ints{1, 2, 1}), attr("pads", Ints{1, 1, 0, 2, 0, 0})},
         .shapes = blocks);
OP_SWEEP(MaxPool, .types = {DType::u8, DType::i8},
         .attributes = {attr("kernel_shape", Ints{3, 2, 1}), attr("strides", Ints{2, 1, 1}),
                        attr("dilations", Ints{1, 2, 1}), attr("pads", Ints{1, 1, 0, 2, 0, 0})},
         .low = -128, .high = 255, .shapes = volumes);
OP_SWEEP(MaxPool, .types = {DType::u8, DType::i8},
         .attributes = {attr("kernel_shape", Ints{2, 3, 1}), attr("auto_pad", "SAME_UPPER")}, .low = -128, .high = 255,
         .shapes = blocks);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{2, 3, 2, 1}), attr("auto_pad", "SAME_UPPER")},
         .shapes = deep_blocks);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{5, 13, 1}), attr("pads", Ints{2, 6, 0, 2, 6, 0})},
         .shapes = wide_blocks);
OP_SWEEP(MaxPool,
         .attributes = {attr("kernel_shape", Ints{3, 3, 1}), attr("strides", Ints{2, 2, 1}),
                        attr("pads", Ints{1, 1, 0, 1, 1, 0}), attr("ceil_mode", 1)},
         .shapes = wide_blocks);
OP_SWEEP(MaxPool,
         .attributes = {attr("kernel_shape", Ints{2, 5, 1}), attr("dilations", Ints{3, 40, 1}),
                        attr("strides", Ints{1, 3, 1}), attr("pads", Ints{1, 99, 0, 2, 70, 0})},
         .shapes = wide_blocks);
OP_SWEEP(MaxPool,
         .attributes = {attr("kernel_shape", Ints{2, 4, 1}), attr("dilations", Ints{1, 7, 1}),
                        attr("strides", Ints{1, 3, 1}), attr("pads", Ints{0, 9, 0, 1, 13, 0})},
         .shapes = wide_blocks);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{2, 2, 1}), attr("strides", Ints{2, 2, 1})},
         .shapes = wide_blocks);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{5}), attr("strides", Ints{3})}, .shapes = lines);
OP_SWEEP(MaxPool, .attributes = {attr("kernel_shape", Ints{2, 2, 2}), attr("strides", Ints{2, 1, 2})},
         .shapes = volumes);

OP_CASES(AveragePool,
         {"padding_does_not_count",
          {f32({1, 1, 3}, {2, 4, 6})},
          {f32({1, 1, 3}, {3, 4, 5})},
          {attr("kernel_shape", Ints{3}), attr("pads", Ints{1, 1})}},
         {"padding_counts",
          {f32({1, 1, 3}, {2, 4, 6})},
          {f32({1, 1, 3}, {2, 4, 10.0 / 3})},
          {attr("kernel_shape", Ints{3}), attr("pads", Ints{1, 1}), attr("count_include_pad", 1)}},
         {"what_ceil_adds_never_counts",
          {f32({1, 1, 4}, {1, 2, 3, 5})},
          {f32({1, 1, 2}, {2, 4})},
          {attr("kernel_shape", Ints{3}), attr("strides", Ints{2}), attr("ceil_mode", 1),
           attr("count_include_pad", 1)}},
         {"dilations",
          {f32({1, 1, 4}, {1, 2, 3, 6})},
          {f32({1, 1, 2}, {2, 4})},
          {attr("kernel_shape", Ints{2}), attr("dilations", Ints{2})}},
         {"float16", {f16({1, 1, 2}, {1, 2})}, {f16({1, 1, 1}, {1.5})}, {attr("kernel_shape", Ints{2})}});
OP_SWEEP(AveragePool, .types = {DType::f32, DType::f16},
         .attributes = {attr("kernel_shape", Ints{3, 3}), attr("strides", Ints{2, 2}), attr("pads", Ints{1, 1, 1, 1})},
         .special_values = false, .shapes = planes);
OP_SWEEP(AveragePool,
         .attributes = {attr("kernel_shape", Ints{2, 3}), attr("auto_pad", "SAME_LOWER"), attr("count_include_pad", 1)},
         .special_values = false, .shapes = planes);
OP_SWEEP(AveragePool,
         .attributes = {attr("kernel_shape", Ints{3, 2}), attr("dilations", Ints{2, 3}), attr("ceil_mode", 1),
                        attr("count_include_pad", 1), attr("strides", Ints{2, 1}), attr("pads", Ints{1, 0, 2, 1})},
         .special_values = false, .shapes = planes);
OP_SWEEP(AveragePool,
         .attributes = {attr("kernel_shape", Ints{3, 3, 1}), attr("strides", Ints{2, 2, 1}), attr("ceil_mode", 1),
                        attr("pads", Ints{1, 0, 0, 1, 2, 0}), attr("count_include_pad", 1)},
         .special_values = false, .shapes = blocks);
OP_SWEEP(AveragePool, .attributes = {attr("kernel_shape", Ints{3, 1}), attr("pads", Ints{1, 0, 2, 0})},
         .special_values = false, .shapes = block_lines);
OP_SWEEP(AveragePool, .attributes = {attr("kernel_shape", Ints{5}), attr("strides", Ints{2})}, .special_values = false,
         .shapes = lines);

OP_CASES(LpPool,
         {"euclid_by_default", {f32({1, 1, 3}, {3, -4, 0})}, {f32({1, 1, 2}, {5, 4})}, {attr("kernel_shape", Ints{2})}},
         {"sum_of_magnitudes",
          {f32({1, 1, 3}, {3, -4, 1})},
          {f32({1, 1, 4}, {3, 7, 5, 1})},
          {attr("kernel_shape", Ints{2}), attr("p", 1), attr("pads", Ints{1, 1})}});
OP_REJECTS(LpPool, "p is 0", {f32({1, 1, 3}, {0})}, {attr("kernel_shape", Ints{2}), attr("p", 0)});
OP_CASES(GlobalAveragePool, {"planes", {f32({1, 2, 1, 2}, {1, 3, -2, 6})}, {f32({1, 2, 1, 1}, {2, 2})}},
         {"of_nothing", {f32({1, 1, 0}, {})}, {f32({1, 1, 1}, {kNaN})}},
         {"float64", {f64({1, 1, 2}, {1, 2})}, {f64({1, 1, 1}, {1.5})}});
OP_CASES(GlobalMaxPool, {"planes", {f32({1, 2, 1, 2}, {1, 3, -2, -6})}, {f32({1, 2, 1, 1}, {3, -2})}},
         {"of_nothing", {f32({1, 1, 0}, {})}, {f32({1, 1, 1}, {-kInf})}},
         {"nan_wins", {f32({1, 1, 3}, {1, kNaN, 3})}, {f32({1, 1, 1}, {kNaN})}});
OP_CASES(GlobalLpPool, {"euclid_by_default", {f32({1, 1, 2}, {3, -4})}, {f32({1, 1, 1}, {5})}},
         {"p_1", {f32({1, 1, 2}, {3, -4})}, {f32({1, 1, 1}, {7})}, {attr("p", 1)}});
namespace {
std::vector<sdx::Shape> any_planes(uint32_t r) { return {{1 + r % 3, 1 + r * 5 % 70, 1 + r * 7 % 50, 1 + r % 9}}; }
}  // namespace
OP_SWEEP(GlobalAveragePool, .types = {DType::f32, DType::f16}, .special_values = false, .shapes = any_planes);
OP_SWEEP(GlobalMaxPool, .types = {DType::f32, DType::f16, DType::bf16}, .shapes = any_planes);
