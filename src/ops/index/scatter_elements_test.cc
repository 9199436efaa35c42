#include "ops/testing/op_case.h"

OP_CASES(
    ScatterElements,
    {"rows",
     {f32({3, 3}, {0}), i64({2, 3}, {1, 0, 2, 0, 2, 1}), f32({2, 3}, {1, 1.1, 1.2, 2, 2.1, 2.2})},
     {f32({3, 3}, {2, 1.1, 0, 1, 0, 2.2, 0, 2.1, 1.2})}},
    {"columns",
     {f32({1, 5}, {1, 2, 3, 4, 5}), i64({1, 2}, {1, -2}), f32({1, 2}, {1.5, 2.5})},
     {f32({1, 5}, {1, 1.5, 3, 2.5, 5})},
     {attr("axis", 1)}},
    {"add",
     {f32({3}, {1, 2, 3}), i64({3}, {0, 0, 2}), f32({3}, {10, 20, 30})},
     {f32({3}, {31, 2, 33})},
     {attr("reduction", "add")}},
    {"mul", {i64({2}, {3, 4}), i64({2}, {1, 1}), i64({2}, {2, -1})}, {i64({2}, {3, -8})}, {attr("reduction", "mul")}},
    {"max",
     {f32({2}, {3, kNaN}), i64({2}, {0, 1}), f32({2}, {5, 1})},
     {f32({2}, {5, kNaN})},
     {attr("reduction", "max")}},
    {"min", {i8({2}, {3, -4}), i64({2}, {0, 1}), i8({2}, {-5, 1})}, {i8({2}, {-5, -4})}, {attr("reduction", "min")}},
    {"wraps", {i8({1}, {100}), i64({1}, {0}), i8({1}, {100})}, {i8({1}, {-56})}, {attr("reduction", "add")}},
    {"last_wins", {str({2}, {"a", "b"}), i64({2}, {1, 1}), str({2}, {"c", "d"})}, {str({2}, {"a", "d"})}},
    {"nothing", {f32({2}, {1, 2}), i64({0}, {}), f32({0}, {})}, {f32({2}, {1, 2})}});
OP_REJECTS(ScatterElements, "outside", {f32({2}, {0}), i64({1}, {2}), f32({1}, {0})});
OP_REJECTS(ScatterElements, "indices and updates", {f32({2}, {0}), i64({1}, {0}), f32({2}, {0})});
OP_REJECTS(ScatterElements, "not none", {f32({2}, {0}), i64({1}, {0}), f32({1}, {0})}, {attr("reduction", "sub")});
OP_REJECTS(ScatterElements, "no reduction", {str({1}, {"a"}), i64({1}, {0}), str({1}, {"b"})},
           {attr("reduction", "add")});
namespace {
// Data, then updates, which follow the indices as the third input: the sweep fixes indices and updates.
std::vector<sdx::Shape> data(uint32_t round) { return {sdx::Shape{3 + round % 3, 4, 2 + round % 2}}; }
}  // namespace
#define INDICES i64({2, 3, 2}, {0, 0, 2, 2, -1, -1, -3, 2, 0, 0, 1, 2})
#define ROWS i64({3, 4, 2}, {0, 0, 2, 2, -1, -1, -3, 2, 0, 0, 1, 2, 0, 0, 2, 2, -1, -1, -3, 2, 0, 0, 1, 2})
#define UPDATES f32({2, 3, 2}, {1, 2, 3, 4, 5, kNaN, 7, 8, kInf, 10, 11, -12})
OP_SWEEP(ScatterElements, .shapes = data, .fixed_inputs = {INDICES, UPDATES});
OP_SWEEP(ScatterElements, .attributes = {attr("axis", 1), attr("reduction", "add")}, .shapes = data,
         .fixed_inputs = {INDICES, UPDATES});
OP_SWEEP(
    ScatterElements, .attributes = {attr("axis", 2), attr("reduction", "max")},
    .shapes = [](uint32_t) -> std::vector<sdx::Shape> {
      return {sdx::Shape{2, 3, 4}};
    },
    .fixed_inputs = {INDICES, UPDATES});
OP_SWEEP(ScatterElements, .types = {DType::i64}, .attributes = {attr("axis", 1)}, .shapes = data,
         .fixed_inputs = {INDICES, i64({2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})});
OP_SWEEP(
    ScatterElements, .attributes = {attr("reduction", "mul")},
    .shapes = [](uint32_t) -> std::vector<sdx::Shape> {
      return {sdx::Shape{3, 4, 2}};
    },
    .fixed_inputs = {ROWS, f32({3, 4, 2}, {1.5})});
OP_SWEEP(
    ScatterElements, .attributes = {attr("reduction", "min")},
    .shapes = [](uint32_t) -> std::vector<sdx::Shape> {
      return {sdx::Shape{3, 4, 2}};
    },
    .fixed_inputs = {ROWS, f32({3, 4, 2}, {0.5})});
OP_CASES(ScatterElements,
         {"add_of_longs",
          {i64({2, 2}, {1, 2, 3, 4}), i32({2, 2}, {0, 0, 1, -1}), i64({2, 2}, {10, 20, 30, 40})},
          {i64({2, 2}, {31, 2, 3, 74})},
          {attr("axis", 1), attr("reduction", "add")}},
         {"wraps_words",
          {i32({1}, {2147483647}), i64({1}, {0}), i32({1}, {1})},
          {i32({1}, {-2147483648})},
          {attr("reduction", "add")}},
         {"bools",
          {boolean({1, 3}, {0, 0, 0}), i64({1, 2}, {2, -3}), boolean({1, 2}, {1, 1})},
          {boolean({1, 3}, {1, 0, 1})},
          {attr("axis", -1)}},
         {"smaller_doubles",
          {f64({2, 3}, {1, 2, 3, 4, 5, 6}), i64({2, 1}, {1, 1}), f64({2, 1}, {7, kNaN})},
          {f64({2, 3}, {1, 2, 3, kNaN, 5, 6})},
          {attr("reduction", "max")}},
         {"half_last_wins",
          {f16({1, 2}, {1, 2}), i64({1, 2}, {1, 1}), f16({1, 2}, {5, 6})},
          {f16({1, 2}, {1, 6})},
          {attr("axis", 1)}});
OP_REJECTS(ScatterElements, "index 3 is outside [-3, 3)", {f32({1, 3}, {0}), i64({1, 2}, {0, 3}), f32({1, 2}, {1, 2})},
           {attr("axis", 1)});
