#include "ops/math/elementwise_program.h"

#include <charconv>

#include "base/element.h"
#include "ops/activation/gelu.h"
#include "ops/elementwise_maps.h"
#include "ops/invoke.h"
#include "ops/math/arithmetic.h"
#include "ops/op_facts.h"

namespace sdx::ops {
namespace {

constexpr ElementwiseOperator kOperators[] = {
    {.name = "Abs", .one = abs_f32},
    {.name = "Add", .operands = 2, .two = add_f32},
    {.name = "Ceil", .one = ceil_f32},
    {.name = "Clip", .numbers = 2, .with = clip_f32},
    {.name = "Cos", .one = cos_f32},
    {.name = "Div", .operands = 2, .two = divide_f32},
    {.name = "Erf", .one = erf_f32},
    {.name = "Exp", .one = exp_f32},
    {.name = "Floor", .one = floor_f32},
    {.name = "Gelu", .one = gelu_f32},
    {.name = "HardSigmoid", .numbers = 2, .with = hard_sigmoid_f32},
    {.name = "HardSwish", .one = hard_swish_f32},
    {.name = "LeakyRelu", .numbers = 1, .with = leaky_relu_f32},
    {.name = "Log", .one = log_f32},
    {.name = "Max", .operands = 2, .two = maximum_f32},
    {.name = "Min", .operands = 2, .two = minimum_f32},
    {.name = "Mish", .one = mish_f32},
    {.name = "Mul", .operands = 2, .two = multiply_f32},
    {.name = "Neg", .one = neg_f32},
    {.name = "PRelu", .operands = 2, .two = prelu_f32},
    {.name = "Reciprocal", .one = reciprocal_f32},
    {.name = "Relu", .one = relu_f32},
    {.name = "Round", .one = round_f32},
    {.name = "Sigmoid", .one = sigmoid_f32},
    {.name = "Sin", .one = sin_f32},
    {.name = "Softplus", .one = softplus_f32},
    {.name = "Softsign", .one = softsign_f32},
    {.name = "Sqrt", .one = sqrt_f32},
    {.name = "Sub", .operands = 2, .two = subtract_f32},
    {.name = "Swish", .numbers = 1, .with = swish_f32},
    {.name = "Tanh", .one = tanh_f32},
    {.name = "TanhGelu", .one = tanh_gelu_f32},  // Gelu of the standard, approximate = "tanh"
    {.name = "ThresholdedRelu", .numbers = 1, .with = thresholded_relu_f32},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

template <typename T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

using Operand = ElementwiseStep::Operand;

Result<Operand> operand_of(std::string_view word, size_t inputs, size_t steps) {
  const bool input = word.starts_with('i') && word != "inf";
  if (input || word.starts_with('t')) {
    const auto index = number_of<size_t>(word.substr(1));
    if (!index || *index >= (input ? inputs : steps))
      return invalid_argument("{} is no operand: there are {} inputs and {} steps before", word, inputs, steps);
    return Operand{input ? Operand::Kind::input : Operand::Kind::step, *index};
  }
  const auto number = number_of<float>(word);
  if (!number) return invalid_argument("{} is neither an input, a step nor a number", word);
  return Operand{Operand::Kind::number, 0, *number};
}

Result<ElementwiseStep> step_of(std::string_view text, size_t inputs, size_t steps) {
  const std::vector<std::string_view> words = words_of(text);
  ElementwiseStep step;
  step.op = words.empty() ? nullptr : find_elementwise(words[0]);
  if (step.op == nullptr) return invalid_argument("the step \"{}\" names no elementwise operator", text);
  const auto operands = static_cast<size_t>(step.op->operands), numbers = static_cast<size_t>(step.op->numbers);
  if (words.size() != 1 + operands + numbers)
    return invalid_argument("the step \"{}\" has {} words, {} are wanted", text, words.size(), 1 + operands + numbers);
  for (size_t i = 0; i < operands; ++i) {
    SDX_ASSIGN(step.operands[i], operand_of(words[1 + i], inputs, steps));
  }
  float* const parameters[] = {&step.parameters.alpha, &step.parameters.beta};
  for (size_t i = 0; i < numbers; ++i) {
    const auto number = number_of<float>(words[1 + operands + i]);
    if (!number) return invalid_argument("{} in the step \"{}\" is no number", words[1 + operands + i], text);
    *parameters[i] = *number;
  }
  return step;
}

// The standard's node of a step.
Node node_of(const ElementwiseStep& step) {
  Node node;
  node.op = step.op->name;
  node.outputs = {0};
  if (node.op == "TanhGelu") {
    node.op = "Gelu";
    node.attributes.set("approximate", std::string("tanh"));
  }
  if (step.op->numbers > 0 && node.op != "Clip") node.attributes.set("alpha", step.parameters.alpha);
  if (step.op->numbers > 1 && node.op != "Clip") node.attributes.set("beta", step.parameters.beta);
  return node;
}

Result<Value> scalar_of(float number, DType type) {
  SDX_ASSIGN(Tensor tensor, Tensor::allocate(type, Shape{}));
  store_double(tensor, 0, static_cast<double>(number));
  return Value(std::move(tensor));
}

}  // namespace

const ElementwiseOperator* find_elementwise(std::string_view name) {
  for (const ElementwiseOperator& op : kOperators)
    if (op.name == name) return &op;
  return nullptr;
}

std::string step_text(const ElementwiseStep& step) {
  std::string text(step.op->name);
  for (size_t i = 0; i < static_cast<size_t>(step.op->operands); ++i) {
    const Operand& operand = step.operands[i];
    if (operand.kind == Operand::Kind::number) {
      text += formatted(" {}", operand.number);
    } else {
      text += formatted(" {}{}", operand.kind == Operand::Kind::input ? 'i' : 't', operand.index);
    }
  }
  if (step.op->numbers > 0) text += formatted(" {}", step.parameters.alpha);
  if (step.op->numbers > 1) text += formatted(" {}", step.parameters.beta);
  return text;
}

Result<ElementwiseProgram> ElementwiseProgram::parse(const Attributes& attributes, size_t inputs) {
  const auto* texts = attributes.get<std::vector<std::string>>("steps");
  if (texts == nullptr || texts->empty()) return invalid_argument("attribute steps is missing");
  if (inputs > kMaxInputs) return invalid_argument("{} inputs are given, {} at most", inputs, kMaxInputs);
  std::vector<ElementwiseStep> steps;
  for (const std::string& text : *texts) {
    SDX_ASSIGN(const ElementwiseStep step, step_of(text, inputs, steps.size()));
    steps.push_back(step);
  }
  return of(std::move(steps));
}

Result<ElementwiseProgram> ElementwiseProgram::of(std::vector<ElementwiseStep> steps) {
  ElementwiseProgram program;
  if (steps.size() > kMaxSteps) return invalid_argument("{} steps are given, {} at most", steps.size(), kMaxSteps);
  program.steps = std::move(steps);
  for (ElementwiseStep& step : program.steps) {
    if (step.op->one != nullptr) step.one = step.op->one();
    if (step.op->with != nullptr) step.with = step.op->with();
    if (step.op->two != nullptr) step.two = step.op->two();
  }
  const size_t count = program.steps.size();
  std::vector<size_t> last_use(count, 0);
  const auto for_each_result = [&](size_t i, auto work) {
    for (size_t k = 0; k < static_cast<size_t>(program.steps[i].op->operands); ++k)
      if (program.steps[i].operands[k].kind == Operand::Kind::step) work(program.steps[i].operands[k].index);
  };
  for (size_t i = 0; i < count; ++i) for_each_result(i, [&](size_t made) { last_use[made] = i; });
  program.buffers.assign(count, 0);
  std::vector<bool> taken;
  for (size_t i = 0; i < count; ++i) {
    for_each_result(i, [&](size_t made) {
      if (last_use[made] == i) taken[program.buffers[made]] = false;
    });
    const size_t free = static_cast<size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    if (free == taken.size()) taken.push_back(false);
    taken[free] = i + 1 == count || last_use[i] > i;
    program.buffers[i] = free;
  }
  program.buffer_count = taken.size();
  if (program.buffer_count > kMaxBuffers)
    return invalid_argument("{} results are wanted at once, {} at most", program.buffer_count, kMaxBuffers);
  return program;
}

void ElementwiseProgram::run(std::span<const TileOperand> inputs, float* y, size_t count) const {
  alignas(64) float memory[kMaxBuffers][kTileElements];
  const auto operand_at = [&](const Operand& operand) -> TileOperand {
    switch (operand.kind) {
      case Operand::Kind::input: return inputs[operand.index];
      case Operand::Kind::step: return {memory[buffers[operand.index]], 1};
      case Operand::Kind::number: break;
    }
    return {&operand.number, 0};
  };
  for (size_t i = 0; i < steps.size(); ++i) {
    const ElementwiseStep& step = steps[i];
    float* to = i + 1 == steps.size() ? y : memory[buffers[i]];
    const TileOperand a = operand_at(step.operands[0]);
    if (step.op->operands == 2) {
      const TileOperand b = operand_at(step.operands[1]);
      step.two(a.data, a.step, b.data, b.step, to, count);
      continue;
    }
    const size_t own = a.step == 0 ? 1 : count;
    if (step.with != nullptr) {
      step.with(a.data, to, own, step.parameters);
    } else {
      step.one(a.data, to, own);
    }
    if (own < count) std::fill(to + own, to + count, *to);
  }
}

Result<Value> run_references(const ElementwiseProgram& program, std::span<const Value* const> inputs, DType type,
                             const RunEnvironment& environment) {
  std::vector<Value> made(program.steps.size());
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const ElementwiseStep& step = program.steps[i];
    const Node node = node_of(step);
    const OpEntry* entry = find_op(node.domain, node.op);
    SDX_CHECK(entry != nullptr, "an elementwise step without an operator");
    std::vector<Value> numbers;
    numbers.reserve(3);
    std::vector<const Value*> operands;
    const auto add_number = [&](float number) -> Status {
      SDX_ASSIGN(Value value, scalar_of(number, type));
      numbers.push_back(std::move(value));
      operands.push_back(&numbers.back());
      return {};
    };
    for (size_t k = 0; k < static_cast<size_t>(step.op->operands); ++k) {
      const Operand& operand = step.operands[k];
      if (operand.kind == Operand::Kind::input) operands.push_back(inputs[operand.index]);
      if (operand.kind == Operand::Kind::step) operands.push_back(&made[operand.index]);
      if (operand.kind == Operand::Kind::number) SDX_TRY(add_number(operand.number));
    }
    if (node.op == "Clip") {
      SDX_TRY(add_number(step.parameters.alpha));
      SDX_TRY(add_number(step.parameters.beta));
    }
    SDX_ASSIGN(const std::vector<OutputSpec> specs, output_specs(*entry->contract, node, operands));
    SDX_TRY(invoke({.contract = entry->contract}, node, operands, specs, {&made[i], 1}, environment));
  }
  return std::move(made.back());
}

}  // namespace sdx::ops
