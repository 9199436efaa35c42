#include "ops/math/elementwise_program.h"
#include "ops/testing/op_case.h"

namespace sdx::ops {
namespace {

Attribute steps(std::vector<std::string> texts) { return {"steps", std::move(texts)}; }

}  // namespace

// Values by hand from the operators' formulas.
OP_CASES_IN(
    "sardonyx", Elementwise,
    {"chain", {f32({3}, {1, 2, -4})}, {f32({3}, {2.5, 4.5, 0})}, {steps({"Mul i0 2", "Add t0 0.5", "Relu t1"})}},
    {"a_result_twice", {f32({2}, {3, -1})}, {f32({2}, {16, 0})}, {steps({"Add i0 1", "Mul t0 t0"})}},
    {"rows_and_columns",
     {f32({2, 2}, {1, 2, 3, 4}), f32({2, 1}, {10, 20}), f32({2}, {1, -1})},
     {f32({2, 2}, {11, -12, 23, -24})},
     {steps({"Add i0 i1", "Mul t0 i2"})}},
    {"short_rows",
     {f32({2, 2, 1}, {1, 2, 3, 4}), f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}), f32({1}, {1})},
     {f32({2, 2, 3}, {2, 3, 4, 3, 5, 7, 13, 16, 19, 17, 21, 25})},
     {steps({"Mul i0 i1", "Add t0 i2"})}},
    {"grown_by_a_later_operand",
     {f32({1}, {4}), f32({3}, {1, 2, 4})},
     {f32({3}, {-2, -1, -0.5})},
     {steps({"Sqrt i0", "Div t0 i1", "Neg t1"})}},
    {"with_numbers",
     {f32({4}, {-10, -1, 1, 10})},
     {f32({4}, {0, 0, 2.0 / 3, 1})},
     {steps({"Clip i0 -2 2", "LeakyRelu t0 0.5", "HardSigmoid t1 0.25 0.5", "Sub t2 0", "Max t3 0.25",
             "Clip t4 0.25 inf", "Sub t5 0.25", "Div t6 0.75", "Mul t7 1", "ThresholdedRelu t8 0.2"})}},
    {"numbers_ahead", {f32({2}, {1, 4})}, {f32({2}, {1, -0.5})}, {steps({"Div 2 i0", "Sub t0 1"})}},
    {"no_number", {f32({3}, {kNaN, kInf, -kInf})}, {f32({3}, {kNaN, kInf, 0})}, {steps({"Add i0 1", "Relu t0"})}},
    {"nothing", {f32({0, 3}, {}), f32({3}, {1, 2, 3})}, {f32({0, 3}, {})}, {steps({"Add i0 i1", "Exp t0"})}},
    {"doubles", {f64({2}, {1, 2})}, {f64({2}, {3, 5})}, {steps({"Mul i0 2", "Add t0 1"})}},
    {"many_results_at_once",
     {f32({1}, {1})},
     {f32({1}, {21})},
     {steps({"Add i0 0", "Add i0 1", "Add i0 2", "Add i0 3", "Add i0 4", "Add i0 5", "Add t0 t1", "Add t6 t2",
             "Add t7 t3", "Add t8 t4", "Add t9 t5"})}});

OP_REJECTS_IN("sardonyx", Elementwise, "attribute steps is missing", {f32({1}, {0})});
OP_REJECTS_IN("sardonyx", Elementwise, "the step \"Frobnicate i0\" names no elementwise operator", {f32({1}, {0})},
              {steps({"Frobnicate i0"})});
OP_REJECTS_IN("sardonyx", Elementwise, "i1 is no operand: there are 1 inputs and 0 steps before", {f32({1}, {0})},
              {steps({"Add i0 i1"})});
OP_REJECTS_IN("sardonyx", Elementwise, "t0 is no operand: there are 1 inputs and 0 steps before", {f32({1}, {0})},
              {steps({"Neg t0"})});
OP_REJECTS_IN("sardonyx", Elementwise, "the step \"Clip i0 1\" has 3 words, 4 are wanted", {f32({1}, {0})},
              {steps({"Clip i0 1"})});
OP_REJECTS_IN("sardonyx", Elementwise, "x is neither an input, a step nor a number", {f32({1}, {0})},
              {steps({"Add i0 x"})});

namespace {

TEST(ElementwiseProgram, TextOfSteps) {
  Attributes attributes;
  const std::vector<std::string> texts{"Add i0 0.1",        "Clip t0 -inf 6", "Mul t1 i1",
                                       "LeakyRelu t2 0.01", "Gelu t3",        "Min t4 nan"};
  attributes.set("steps", texts);
  const auto program = ElementwiseProgram::parse(attributes, 2);
  ASSERT_TRUE(program.ok());
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(step_text(program->steps[i]), texts[i]);
}

}  // namespace
}  // namespace sdx::ops
