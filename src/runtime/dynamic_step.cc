// Steps whose shapes, kernels and memory are found while they run: what data decide, subgraphs, sequences, and whole
// runs whose inputs contradict what the plan assumes.
#include <algorithm>
#include <cstring>

#include "plan/compiled_group.h"
#include "plan/prepare.h"
#include "runtime/detach.h"
#include "runtime/executor.h"

namespace sdx::runtime {
namespace {

using plan::Candidate;
using plan::kNoSlot;
using plan::Program;
using plan::SlotId;
using plan::Step;

constexpr int64_t kMaxCachedElements = 1024;  // of values that shapes depend on; beyond, the shape rule runs each time

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

// The first kernel that takes the inputs as they are now; constants with their values, so that kernels can prepare.
Result<const Candidate*> choose(const Program& program, const Step& step, const Node& node,
                                std::span<const Value* const> inputs) {
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    facts[i] = Fact::of(*inputs[i]);
    if (program.constant(step.inputs[i]) != nullptr && inputs[i]->is_tensor()) facts[i].constant = inputs[i]->tensor();
    pointers[i] = &facts[i];
  }
  for (const auto& candidate : step.candidates) {
    if (!candidate->kernel->can_run(NodeFacts(node, pointers))) continue;
    SDX_TRY(plan::prepare_once(*candidate, node, facts, pointers, program.weights));
    return candidate.get();
  }
  if (!step.by_reference)
    return make_error(Code::not_implemented, "{} takes the node, but none of its kernels takes these inputs",
                      node.provider);
  return static_cast<const Candidate*>(nullptr);
}

Result<std::vector<OutputSpec>> specs_of(const Step& step, const Node& node, std::span<const Value* const> inputs) {
  if (step.group == nullptr) return ops::output_specs(*step.contract, node, inputs);
  std::vector<Fact> facts(inputs.size());
  std::vector<const Fact*> pointers(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    facts[i] = Fact::of(*inputs[i]);
    pointers[i] = &facts[i];
  }
  return plan::infer_group(step.group->graph, pointers);
}

}  // namespace

class BodyRunner final : public SubgraphRunner {
 public:
  BodyRunner(ExecutionState& state, Binding& binding, size_t step) : state_(state), binding_(binding), step_(step) {}

  Result<std::vector<Value>> run(std::string_view attribute, std::span<const Value> inputs) override {
    const Step& step = state_.program_.steps[step_];
    for (size_t i = 0; i < step.bodies.size(); ++i)
      if (step.bodies[i].attribute == attribute) return run_body(step.bodies[i], state_.body(step_, i), inputs);
    return invalid_graph("subgraph {} is missing", attribute);
  }

 private:
  Result<std::vector<Value>> run_body(const plan::Body& body, ExecutionState& inner, std::span<const Value> inputs) {
    const size_t declared = body.program->graph->inputs().size();
    if (inputs.size() > declared)
      return invalid_graph("the subgraph has {} inputs, {} are given", declared, inputs.size());
    std::ranges::copy(inputs, inner.inputs().begin());
    for (size_t i = 0; i < body.captures.size(); ++i) {
      const plan::Constant* constant = state_.program_.constant(body.captures[i]);
      // Without an owner: the plan may write over its memory once the step is done.
      const Value* captured = constant != nullptr ? &constant->value : &binding_.values[body.captures[i]];
      const plan::WeightSource* weights = state_.program_.weights;
      if (constant != nullptr && captured->is_tensor() && weights != nullptr && weights->is_made(captured->tensor())) {
        SDX_ASSIGN(captured, plan::kernel_value(*constant, state_.program_.weights));
      }
      inner.inputs()[declared + i] = lent(*captured);
    }
    const auto after = std::ranges::upper_bound(state_.program_.stages, step_, {}, &plan::Stage::first_step);
    const auto stage = static_cast<size_t>(after - state_.program_.stages.begin()) - 1;
    const bool planned = stage < binding_.first_dynamic_stage();
    for (size_t i = 0; i < body.imports.size(); ++i)
      inner.imports()[i] = planned ? binding_.registers()[body.imports[i]] : 0;
    bool is_new = false;
    std::string broken;
    Binding& bound = inner.bind(is_new, broken);
    if (!planned) bound.give_up(0);  // the imported symbols mean nothing
    std::vector<Value> outputs;
    SDX_TRY(inner.run(bound, {}, outputs, state_.environments_.host, state_.trace_));
    return outputs;
  }

  ExecutionState& state_;
  Binding& binding_;
  size_t step_;
};

Status ExecutionState::refresh(StepCache& cache, const Step& step, const Node& node,
                               std::span<const Value* const> inputs) {
  cache.valid = false;
  auto specs = specs_of(step, node, inputs);
  // Shapes that do not fit are a failed run: the inputs were as the model declares them.
  if (!specs.ok()) return Status(Code::fail, specs.status().message());
  cache.specs = std::move(specs).value();
  SDX_ASSIGN(cache.candidate, choose(program_, step, node, inputs));
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

// A loop that never runs leaves nothing that could tell its outputs' shapes: they are as the plan foresees them.
void ExecutionState::take_empty_shapes(const Binding& binding, size_t index, StepCache& cache) const {
  const Step& step = program_.steps[index];
  if (step.bodies.empty()) return;
  for (size_t i = 0; i < cache.specs.size(); ++i) {
    const SlotId slot = step.first_output + static_cast<SlotId>(i);
    if (cache.specs[i].shape_known || !is_foreseen(binding, index, slot)) continue;
    Shape shape;
    for (const plan::Register dim : program_.slots[slot].dims) shape.push_back(binding.registers()[dim]);
    if (checked_count(shape) != 0) continue;
    cache.specs[i].shape = std::move(shape);
    cache.specs[i].shape_known = true;
    cache.valid = false;
  }
}

bool ExecutionState::is_foreseen(const Binding& binding, size_t index, SlotId slot) const {
  const plan::Slot& info = program_.slots[slot];
  return info.shape_known && info.stage < binding.first_dynamic_stage() &&
         program_.stages[info.stage].first_step <= index;
}

Status ExecutionState::run_dynamic(Binding& binding, size_t index) {
  const Step& step = program_.steps[index];
  const Node& node = program_.graph->node(step.node);
  SmallVector<const Value*, 8> inputs(node.inputs.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const SlotId slot = step.inputs[i];
    if (slot == kNoSlot) continue;
    const plan::Constant* constant = program_.constant(slot);
    inputs[i] = constant != nullptr ? &constant->value : &binding.values[slot];
    if (!inputs[i]->defined()) return invalid_argument("the value \"{}\" is not there", program_.name(slot));
  }
  StepCache& cache = binding.cache(index);
  if (!matches(cache, step, inputs)) {
    SDX_TRY(refresh(cache, step, node, inputs));
    take_empty_shapes(binding, index, cache);
  }
  const Candidate* candidate = cache.candidate;
  std::vector<Value> aligned;           // copies of what a view of a weight, or the caller, left unaligned
  aligned.reserve(node.inputs.size());  // their addresses are kept
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (inputs[i] == nullptr || (candidate != nullptr && plan::packs(candidate->kernel, i))) continue;
    if (const plan::Constant* constant = program_.constant(step.inputs[i])) {
      const Kernel* kernel = candidate != nullptr ? candidate->kernel : nullptr;
      SDX_ASSIGN(inputs[i], plan::input_value(*constant, kernel, i, program_.weights));
    } else if (candidate != nullptr && inputs[i]->is_tensor() && !is_aligned(inputs[i]->tensor())) {
      SDX_ASSIGN(Tensor copy, clone(inputs[i]->tensor()));
      inputs[i] = &aligned.emplace_back(std::move(copy));
    }
  }
  std::vector<Value> outputs(node.outputs.size());
  if (step.device != 0) SDX_TRY(allocate_host_outputs(step, cache.specs, outputs));
  BodyRunner bodies(*this, binding, index);
  const Kernel* kernel = candidate != nullptr ? candidate->kernel : nullptr;
  Status invoked = ops::invoke({step.contract, kernel, candidate != nullptr ? candidate->state() : nullptr}, node,
                               inputs, cache.specs, outputs, environments_.of(step.device), &bodies);
  if (traced_ != nullptr) [[unlikely]]
    trace_dynamic(binding, index, kernel, inputs, outputs);
  if (!invoked.ok()) return invoked;
  return keep_outputs(binding, index, outputs);
}

// Kernels of a provider with memory of its own allocate there.
Status ExecutionState::allocate_host_outputs(const Step& step, std::span<const OutputSpec> specs,
                                             std::span<Value> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const plan::Slot& slot = program_.slots[step.first_output + i];
    if (slot.device != 0 || slot.value == kNoValue) continue;
    if (!specs[i].shape_known)
      return make_error(Code::not_implemented, "output \"{}\" is made in the CPU's memory, but its shape is not known",
                        program_.name(step.first_output + static_cast<SlotId>(i)));
    SDX_ASSIGN(outputs[i], Tensor::allocate(specs[i].dtype, specs[i].shape, environments_.host.allocator));
  }
  return {};
}

// A view that only the run finds: the plan ends the life of arena memory with the value that it planned there.
bool ExecutionState::outlives_its_memory(const Step& step) const {
  if (step.mode != plan::StepMode::dynamic) return false;
  const SlotId viewed = step.inputs[static_cast<size_t>(step.contract->view_of)];
  return program_.slots[program_.slots[viewed].root].storage == plan::Storage::arena;
}

// Outputs that are somebody else's memory, and no view that the plan knows of, are copied: the plan may use that memory
// again.
Status ExecutionState::keep_outputs(Binding& binding, size_t index, std::span<Value> outputs) {
  const Step& step = program_.steps[index];
  for (size_t i = 0; i < outputs.size(); ++i) {
    const SlotId slot = step.first_output + static_cast<SlotId>(i);
    const plan::Slot& info = program_.slots[slot];
    if (info.value == kNoValue) continue;
    Value& value = outputs[i];
    const bool view = i == 0 && step.contract->view_of >= 0 && !outlives_its_memory(step);
    SDX_CHECK(info.device == 0 || (value.is_tensor() && value.tensor().owner() != nullptr),
              "a provider's kernel made a tensor that owns no memory");
    if (!view && value.is_tensor() && value.tensor().owner() == nullptr) {
      SDX_ASSIGN(Tensor copy, clone(value.tensor()));
      value = std::move(copy);
    }
    binding.values[slot] = std::move(value);
    if (step.mode != plan::StepMode::dynamic || !is_foreseen(binding, index, slot) || binding.agrees(slot)) continue;
    if (step.group != nullptr)
      return make_error(Code::fail, "output \"{}\" has another shape than foreseen", program_.name(slot));
    SDX_CHECK(false, "a value has another shape than its rule foresaw");
  }
  for (const plan::Anchor& anchor : step.anchors) binding.set_anchor(anchor);
  for (const SlotId slot : step.releases) binding.values[slot] = Value();
  return {};
}

}  // namespace sdx::runtime
