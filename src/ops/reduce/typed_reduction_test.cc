// Reductions of every type against the references, over rows, columns and both.
#include "ops/testing/op_case.h"

namespace {
std::vector<sdx::Shape> shapes_of_four(uint32_t r) {
  const int64_t sizes[] = {1, 2, 7, 33, 16, 300, 5, 70};
  return {sdx::Shape({1 + r % 3, sizes[r % 8], 1 + r % 5 * 9, 1 + r * 3 % 21})};
}
}  // namespace

#define SWEEP_AXES(op, kinds, special, smallest, largest)                                                             \
  OP_SWEEP(op, .types = kinds, .low = smallest, .high = largest, .special_values = special, .shapes = shapes_of_four, \
           .fixed_inputs = {i64({1}, {-1})});                                                                         \
  TEST(op, over_middle_axes) {                                                                                        \
    using namespace ::sdx::ops::testing;                                                                              \
    using ::sdx::DType;                                                                                               \
    for (const auto& axes : {i64({2}, {1, 2}), i64({1}, {2}), i64({2}, {1, 3}), i64({3}, {0, 2, 3})})                 \
      run_sweep("", #op,                                                                                              \
                {.types = kinds,                                                                                      \
                 .low = smallest,                                                                                     \
                 .high = largest,                                                                                     \
                 .special_values = special,                                                                           \
                 .shapes = shapes_of_four,                                                                            \
                 .fixed_inputs = {axes}});                                                                            \
  }
#define KINDS(...) (std::vector<::sdx::DType>{__VA_ARGS__})

SWEEP_AXES(ReduceSum, KINDS(DType::f64, DType::f16, DType::i32, DType::i64), true, -1000, 1000)
SWEEP_AXES(ReduceMean, KINDS(DType::f64, DType::bf16, DType::i32, DType::i64), true, -1000, 1000)
SWEEP_AXES(ReduceMax, KINDS(DType::f32, DType::f64, DType::f16, DType::i32, DType::i64, DType::u8, DType::i8), true,
           -120, 120)
SWEEP_AXES(ReduceMin, KINDS(DType::f32, DType::f64, DType::f16, DType::i32, DType::i64, DType::u8, DType::i8), true,
           -120, 120)
SWEEP_AXES(ReduceProd, KINDS(DType::f32, DType::f64, DType::i32, DType::i64), false, -2, 2)
SWEEP_AXES(ReduceL1, KINDS(DType::f64, DType::f16, DType::i32, DType::i64), true, -1000, 1000)
SWEEP_AXES(ReduceL2, KINDS(DType::f64, DType::f16, DType::i32), true, -100, 100)
SWEEP_AXES(ReduceSumSquare, KINDS(DType::f64, DType::i32, DType::i64), true, -100'000, 100'000)
SWEEP_AXES(ReduceLogSum, KINDS(DType::f32, DType::f64, DType::f16), true, 0, 9)
SWEEP_AXES(ReduceLogSumExp, KINDS(DType::f32, DType::f64, DType::f16), true, -9, 9)

#define SWEEP_ARG(op)                                                                                            \
  OP_SWEEP(op, .types = KINDS(DType::f32, DType::f64, DType::f16, DType::i32, DType::i64, DType::u8, DType::i8), \
           .attributes = {attr("axis", -1)}, .low = -3, .high = 3, .shapes = shapes_of_four);                    \
  TEST(op, along_middle_axes) {                                                                                  \
    using namespace ::sdx::ops::testing;                                                                         \
    using ::sdx::ops::attr;                                                                                      \
    using ::sdx::DType;                                                                                          \
    for (const int64_t last : {0, 1})                                                                            \
      for (const int64_t axis : {1, 3})                                                                          \
        run_sweep("", #op,                                                                                       \
                  {.types = KINDS(DType::f64, DType::bf16, DType::i32, DType::i64, DType::u8, DType::i8),        \
                   .attributes = {attr("axis", axis), attr("select_last_index", last)},                          \
                   .low = -3,                                                                                    \
                   .high = 3,                                                                                    \
                   .shapes = shapes_of_four});                                                                   \
  }
SWEEP_ARG(ArgMax)
SWEEP_ARG(ArgMin)
