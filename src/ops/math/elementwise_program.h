// Several elementwise operators as one: what fused nodes carry in the attribute `steps`, one text a step:
//
//   "Mul i0 i1"   "Add t0 0.5"   "Sigmoid t1"   "Clip t2 0 6"
//
// A step names an operator of the standard (or one of those in elementwise_operators()), its operands - iN: input N,
// tN: what step N made, or a number - and the numbers that are the operator's attributes. The last step makes the
// output.
#pragma once

#include "ops/elementwise.h"

namespace sdx::ops {

// One that a step may name.
struct ElementwiseOperator {
  std::string_view name;             // in a step
  int operands = 1;                  // one or two
  int numbers = 0;                   // behind them
  UnaryF32 (*one)() = nullptr;       // the function, where it has no numbers
  UnaryF32With (*with)() = nullptr;  // where it has
  BinaryKernel<float> (*two)() = nullptr;
};
const ElementwiseOperator* find_elementwise(std::string_view name);

struct ElementwiseStep {
  struct Operand {
    enum class Kind : uint8_t { input, step, number } kind = Kind::input;
    size_t index = 0;
    float number = 0;
  };
  const ElementwiseOperator* op = nullptr;
  std::array<Operand, 2> operands = {};
  Parameters parameters = {};
  // The operator's function, at the SIMD level that was in force when the program was made.
  UnaryF32 one = nullptr;
  UnaryF32With with = nullptr;
  BinaryKernel<float> two = nullptr;
};
std::string step_text(const ElementwiseStep& step);

struct ElementwiseProgram {
  static constexpr size_t kMaxSteps = 24, kMaxInputs = 8, kMaxBuffers = 6;

  std::vector<ElementwiseStep> steps;
  // Where each step's result lies while it is wanted; the last one's is the output.
  std::vector<size_t> buffers;
  size_t buffer_count = 0;

  // From the attribute `steps` of a node with so many inputs.
  static Result<ElementwiseProgram> parse(const Attributes& attributes, size_t inputs);
  static Result<ElementwiseProgram> of(std::vector<ElementwiseStep> steps);

  struct TileOperand {
    const float* data = nullptr;
    int step = 1;  // 0: one value
  };
  // y = the program of the inputs, `count` elements, kTileElements at most; y may be an input.
  void run(std::span<const TileOperand> inputs, float* y, size_t count) const;
};

// The contracts' references one after another, over any floating type. `inputs` are values of one type.
Result<Value> run_references(const ElementwiseProgram& program, std::span<const Value* const> inputs, DType type,
                             const RunEnvironment& environment);

}  // namespace sdx::ops
