#include "runtime/executor.h"

#include <cstring>

namespace sdx::runtime {
namespace {

using plan::Candidate;
using plan::Program;
using plan::Step;

constexpr int64_t kMaxCachedElements = 1024;  // of values that shapes depend on; beyond, the shape rule runs each time

Result<const Value*> find_input(ExecutionState& state, ValueId slot) {
  const auto& constant = state.program().constants[slot];
  const Value* value = constant != nullptr ? &constant->value : &state.slots()[slot];
  if (!value->defined())
    return invalid_argument("the value \"{}\" is not there", state.program().graph->value(slot).name);
  return value;
}

bool depends_on_value(const Step& step, size_t input) {
  return input < 32 && (step.contract->needs_values >> input) & 1;
}

bool same_value(const Tensor& a, const Tensor& b) {
  return a.byte_size() == b.byte_size() && (a.byte_size() == 0 || std::memcmp(a.raw(), b.raw(), a.byte_size()) == 0);
}

bool matches(const StepCache& cache, const Step& step, std::span<const Value* const> inputs) {
  if (!cache.valid) return false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) {
      if (cache.types[i] != DType::undefined) return false;
      continue;
    }
    if (!inputs[i]->is_tensor()) return false;
    const Tensor& tensor = inputs[i]->tensor();
    if (cache.types[i] != tensor.dtype() || !(cache.shapes[i] == tensor.shape())) return false;
    if (depends_on_value(step, i) && !same_value(cache.values[i], tensor)) return false;
  }
  return true;
}

// The facts of the inputs as they are now; constants with their values, so that kernels can prepare.
std::vector<Fact> facts_of(const Program& program, const Node& node, std::span<const Value* const> inputs) {
  std::vector<Fact> facts(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    const bool constant = program.constants[node.inputs[i]] != nullptr && inputs[i]->is_tensor();
    facts[i] = Fact::of(*inputs[i]);
    if (constant) facts[i].constant = inputs[i]->tensor();
  }
  return facts;
}

Status prepare_once(const Candidate& candidate, const NodeFacts& facts) {
  if (candidate.kernel->prepare == nullptr) return {};
  std::call_once(candidate.once, [&] {
    auto state = candidate.kernel->prepare(facts);
    if (state.ok()) {
      candidate.state = std::move(state).value();
    } else {
      candidate.failure = std::move(state).status();
    }
  });
  return candidate.failure;
}

Result<const Candidate*> choose(const Program& program, const Step& step, const Node& node,
                                std::span<const Value* const> inputs) {
  if (step.candidates.empty()) return static_cast<const Candidate*>(nullptr);
  std::vector<Fact> facts = facts_of(program, node, inputs);
  std::vector<const Fact*> pointers;
  for (size_t i = 0; i < facts.size(); ++i) pointers.push_back(inputs[i] != nullptr ? &facts[i] : nullptr);
  const NodeFacts view(node, pointers);
  for (const auto& candidate : step.candidates) {
    if (!candidate->kernel->can_run(view)) continue;
    // Packed weights are read once; only those that are not byte-aligned to their element get a copy for the time of
    // packing.
    std::vector<Tensor> kept;
    for (Fact& fact : facts) {
      if (!fact.constant.defined() || plan::is_aligned(fact.constant) || candidate->state != nullptr) continue;
      SDX_ASSIGN(fact.constant, clone(fact.constant));
    }
    SDX_TRY(prepare_once(*candidate, view));
    return candidate.get();
  }
  return static_cast<const Candidate*>(nullptr);
}

Status refresh(StepCache& cache, const Program& program, const Step& step, const Node& node,
               std::span<const Value* const> inputs) {
  cache.valid = false;
  auto specs = ops::output_specs(*step.contract, node, inputs);
  // Shapes that do not fit are a failed run: the inputs were as the model declares them.
  if (!specs.ok()) return Status(Code::fail, specs.status().message());
  cache.specs = std::move(specs).value();
  SDX_ASSIGN(cache.candidate, choose(program, step, node, inputs));
  cache.types.assign(inputs.size(), DType::undefined);
  cache.shapes.assign(inputs.size(), Shape());
  cache.values.assign(inputs.size(), Tensor());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    if (!inputs[i]->is_tensor()) return {};  // sequences and the like are looked at anew each time
    const Tensor& tensor = inputs[i]->tensor();
    cache.types[i] = tensor.dtype();
    cache.shapes[i] = tensor.shape();
    if (!depends_on_value(step, i)) continue;
    if (tensor.count() > kMaxCachedElements || tensor.dtype() == DType::string) return {};
    SDX_ASSIGN(cache.values[i], clone(tensor));
  }
  cache.valid = true;
  return {};
}

class BodyRunner final : public SubgraphRunner {
 public:
  BodyRunner(ExecutionState& state, size_t step, const RunEnvironment& environment)
      : state_(state), step_(step), environment_(environment) {}

  Result<std::vector<Value>> run(std::string_view attribute, std::span<const Value> inputs) override {
    const Step& step = state_.program().steps[step_];
    for (size_t i = 0; i < step.bodies.size(); ++i)
      if (step.bodies[i].attribute == attribute) return run_body(state_.body(step_, i), inputs);
    return invalid_graph("subgraph {} is missing", attribute);
  }

 private:
  Result<std::vector<Value>> run_body(ExecutionState& body, std::span<const Value> inputs) {
    const Graph& graph = *body.program().graph;
    if (inputs.size() > graph.inputs().size())
      return invalid_graph("the subgraph has {} inputs, {} are given", graph.inputs().size(), inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) body.slots()[graph.inputs()[i]] = inputs[i];
    for (const Capture& capture : graph.captures()) {
      SDX_ASSIGN(body.slots()[capture.inner], read_slot(state_, capture.outer));
    }
    SDX_TRY(execute(body, environment_));
    std::vector<Value> outputs;
    for (const ValueId output : graph.outputs()) {
      SDX_ASSIGN(Value value, read_slot(body, output));
      outputs.push_back(std::move(value));
    }
    for (Value& slot : body.slots()) slot = Value();
    return outputs;
  }

  ExecutionState& state_;
  size_t step_;
  const RunEnvironment& environment_;
};

Status run_step(ExecutionState& state, size_t index, const RunEnvironment& environment) {
  const Program& program = state.program();
  const Step& step = program.steps[index];
  const Node& node = program.graph->node(step.node);
  SmallVector<const Value*, 8> inputs(node.inputs.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    SDX_ASSIGN(inputs[i], find_input(state, node.inputs[i]));
  }
  StepCache& cache = state.cache(index);
  if (!matches(cache, step, inputs)) SDX_TRY(refresh(cache, program, step, node, inputs));
  const Candidate* candidate = cache.candidate;
  std::vector<Value> aligned;  // copies of what a view of a weight, or the caller, left unaligned
  if (candidate != nullptr) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == kNoValue || (i < 32 && (candidate->kernel->packs_inputs >> i) & 1)) continue;
      if (const auto& constant = program.constants[node.inputs[i]]) {
        SDX_ASSIGN(inputs[i], plan::aligned_constant(*constant));
      } else if (inputs[i]->is_tensor() && !plan::is_aligned(inputs[i]->tensor())) {
        if (aligned.empty()) aligned.reserve(node.inputs.size());  // their addresses are kept
        SDX_ASSIGN(Tensor copy, clone(inputs[i]->tensor()));
        inputs[i] = &aligned.emplace_back(std::move(copy));
      }
    }
  }
  std::vector<Value> outputs(node.outputs.size());
  BodyRunner bodies(state, index, environment);
  SDX_TRY(ops::invoke({step.contract, candidate != nullptr ? candidate->kernel : nullptr,
                       candidate != nullptr ? candidate->state.get() : nullptr},
                      node, inputs, cache.specs, outputs, environment, &bodies));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) state.slots()[node.outputs[i]] = std::move(outputs[i]);
  for (const ValueId slot : step.releases) state.slots()[slot] = Value();
  return {};
}

}  // namespace

ExecutionState::ExecutionState(const Program& program)
    : program_(program), slots_(program.graph->value_slots()), caches_(program.steps.size()) {}

ExecutionState& ExecutionState::body(size_t step, size_t index) {
  auto& state = bodies_[{step, index}];
  if (state == nullptr) state = std::make_unique<ExecutionState>(*program_.steps[step].bodies[index].program);
  return *state;
}

Result<Value> read_slot(ExecutionState& state, ValueId slot) {
  SDX_ASSIGN(const Value* value, find_input(state, slot));
  return *value;
}

Status execute(ExecutionState& state, const RunEnvironment& environment) {
  for (size_t index = 0; index < state.program().steps.size(); ++index) {
    const auto label = [&] { return state.program().graph->node(state.program().steps[index].node).label(); };
    if (environment.cancel != nullptr) SDX_TRY(environment.cancel->check());
    try {
      if (auto status = run_step(state, index, environment); !status.ok())
        return std::move(status).with_prefix(label() + ": ");
    } catch (const InternalError& error) {
      throw InternalError(label() + ": " + error.what());
    }
  }
  return {};
}

}  // namespace sdx::runtime
