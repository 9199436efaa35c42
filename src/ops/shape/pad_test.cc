#include "ops/testing/op_case.h"

OP_CASES(
    Pad,
    {"constant",
     {f32({2, 2}, {1, 2, 3, 4}), i64({4}, {0, 1, 1, 0}), f32(9)},
     {f32({3, 3}, {9, 1, 2, 9, 3, 4, 9, 9, 9})}},
    {"zero", {f32({2}, {1, 2}), i64({2}, {1, 1})}, {f32({4}, {0, 1, 2, 0})}},
    {"reflect", {f32({3}, {1, 2, 3}), i64({2}, {2, 2})}, {f32({7}, {3, 2, 1, 2, 3, 2, 1})}, {attr("mode", "reflect")}},
    {"reflect_far", {f32({2}, {1, 2}), i64({2}, {3, 2})}, {f32({7}, {2, 1, 2, 1, 2, 1, 2})}, {attr("mode", "reflect")}},
    {"edge", {f32({2}, {1, 2}), i64({2}, {1, 2})}, {f32({5}, {1, 1, 2, 2, 2})}, {attr("mode", "edge")}},
    {"wrap", {f32({3}, {1, 2, 3}), i64({2}, {2, 1})}, {f32({6}, {2, 3, 1, 2, 3, 1})}, {attr("mode", "wrap")}},
    {"reflect_rows",
     {i8({3, 2}, {1, 2, 3, 4, 5, 6}), i64({4}, {1, 0, 2, 0})},
     {i8({6, 2}, {3, 4, 1, 2, 3, 4, 5, 6, 3, 4, 1, 2})},
     {attr("mode", "reflect")}},
    {"wrap_both",
     {f64({2, 2}, {1, 2, 3, 4}), i64({4}, {1, 0, 0, 3})},
     {f64({3, 5}, {3, 4, 3, 4, 3, 1, 2, 1, 2, 1, 3, 4, 3, 4, 3})},
     {attr("mode", "wrap")}},
    {"edge_after_removal",
     {f32({1, 4}, {1, 2, 3, 4}), i64({4}, {0, -1, 1, 2})},
     {f32({2, 5}, {2, 3, 4, 4, 4, 2, 3, 4, 4, 4})},
     {attr("mode", "edge")}},
    {"wrap_of_none", {f32({2, 0}, {}), i64({4}, {1, 0, 0, 0})}, {f32({3, 0}, {})}, {attr("mode", "wrap")}},
    {"axes", {f32({1, 2}, {1, 2}), i64({2}, {1, 0}), none, i64({1}, {-1})}, {f32({1, 3}, {0, 1, 2})}},
    {"negative", {f32({2, 3}, {1, 2, 3, 4, 5, 6}), i64({4}, {1, -1, -1, -1}), f32(7)}, {f32({2, 1}, {7, 2})}},
    {"of_nothing", {f32({0}, {}), i64({2}, {1, 1}), f32(3)}, {f32({2}, {3, 3})}},
    {"scalar", {f32(1), i64({0}, {})}, {f32(1)}},
    {"strings", {str({1}, {"a"}), i64({2}, {1, 1}), str({}, {"-"})}, {str({3}, {"-", "a", "-"})}},
    {"empty_strings", {str({1}, {"a"}), i64({2}, {1, 0})}, {str({2}, {"", "a"})}},
    {"packed",
     {tensor_i64_values(DType::i4, {2}, {1, 2}), i64({2}, {1, 0})},
     {tensor_i64_values(DType::i4, {3}, {0, 1, 2})}});
OP_REJECTS(Pad, "not constant", {f32({1}, {0}), i64({2}, {0, 0})}, {attr("mode", "mirror")});
OP_REJECTS(Pad, "for 1 axes", {f32({1}, {0}), i64({1}, {0})});
OP_REJECTS(Pad, "would have", {f32({1}, {0}), i64({2}, {-1, -1})});
OP_REJECTS(Pad, "no element to repeat", {f32({0}, {}), i64({2}, {1, 1})}, {attr("mode", "edge")});
OP_SWEEP(
    Pad, .types = {DType::u8, DType::f32, DType::f64},
    .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {
      return {sdx::Shape{1 + round % 3, 2 + round % 5, 3 + round * 7 % 50}};
    },
    .fixed_inputs = {i64({6}, {1, 2, -1, 0, -2, 3})});
#define PAD_SWEEP(mode)                                                                                  \
  OP_SWEEP(                                                                                              \
      Pad, .types = {DType::u8, DType::f16, DType::f32, DType::f64}, .attributes = {attr("mode", mode)}, \
      .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {                                          \
        return {sdx::Shape{2 + round % 3, 3 + round % 5, 3 + round * 7 % 50}};                           \
      },                                                                                                 \
      .fixed_inputs = {i64({6}, {1, 2, -1, 0, -2, 9})})
PAD_SWEEP("reflect");
PAD_SWEEP("edge");
PAD_SWEEP("wrap");
// Rows of several blocks, and whole rows of the constant.
#define PAD_BLOCKS_SWEEP(type, ...)                                                   \
  OP_SWEEP(                                                                           \
      Pad, .types = {type},                                                           \
      .shapes = [](uint32_t round) -> std::vector<sdx::Shape> {                       \
        return {sdx::Shape{1 + round % 2, 1 + round * 31 % 200, 1 + round * 7 % 60}}; \
      },                                                                              \
      .fixed_inputs = {i64({6}, {1, 100, 0, 0, 30, 0}), __VA_ARGS__})
PAD_BLOCKS_SWEEP(DType::u8, u8({}, {3}));
PAD_BLOCKS_SWEEP(DType::f32, f32(-2));
PAD_BLOCKS_SWEEP(DType::f64, f64({}, {kNaN}));
OP_CASES(Pad,
         {"constant_rows",
          {i32({2, 1, 2}, {1, 2, 3, 4}), i64({6}, {1, 0, 0, 0, 1, 0}), i32({}, {9})},
          {i32({3, 2, 2}, {9, 9, 9, 9, 1, 2, 9, 9, 3, 4, 9, 9})}},
         {"nothing_kept", {u8({2}, {1, 2}), i64({2}, {-2, 3}), u8({}, {5})}, {u8({3}, {5, 5, 5})}},
         {"removed_and_filled", {u8({3}, {1, 2, 3}), i64({2}, {-1, 1}), u8({}, {5})}, {u8({3}, {2, 3, 5})}},
         {"wide", {tensor(DType::c64, {1}, {3}), i64({2}, {1, 0})}, {tensor(DType::c64, {2}, {0, 3})}});
