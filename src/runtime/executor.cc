#include "runtime/executor.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/element.h"
#include "base/stop_point.h"
#include "plan/prepare.h"
#include "runtime/detach.h"

namespace sdx::runtime {
namespace {

using plan::SlotId;
using plan::Step;
using plan::StepMode;
using plan::Storage;

bool overlap(const Tensor& a, const Tensor& b) {
  return a.byte_size() > 0 && b.byte_size() > 0 && a.bytes() < b.bytes() + b.byte_size() &&
         b.bytes() < a.bytes() + a.byte_size();
}

}  // namespace

ExecutionState::ExecutionState(const plan::Program& program)
    : program_(program),
      inputs_(program.inputs.size()),
      imports_(program.imports.size(), 0),
      preferred_(program.stages.size(), nullptr) {
  environments_.devices.resize(program.devices.size());
}

ExecutionState::~ExecutionState() = default;

ExecutionState& ExecutionState::body(size_t step, size_t index) {
  auto& state = bodies_[{step, index}];
  if (state == nullptr) {
    state = std::make_unique<ExecutionState>(*program_.steps[step].bodies[index].program);
    state->set_limits(limits_);
  }
  return *state;
}

void ExecutionState::make_key() {
  key_.clear();
  for (const Value& value : inputs_) {
    if (!value.is_tensor()) {
      key_.push_back(-1 - static_cast<int64_t>(value.kind()));
      continue;
    }
    const Tensor& tensor = value.tensor();
    key_.push_back(static_cast<int64_t>(tensor.dtype()) << 32 | static_cast<int64_t>(tensor.shape().size()));
    key_.insert(key_.end(), tensor.shape().begin(), tensor.shape().end());
  }
  for (const plan::InputSymbol& symbol : program_.element_symbols) {
    const Value& value = inputs_[symbol.input];
    const bool there = value.is_tensor() && is_integer(value.tensor().dtype()) && symbol.index < value.tensor().count();
    key_.push_back(there ? load_i64(value.tensor(), symbol.index) : 0);
  }
  key_.insert(key_.end(), imports_.begin(), imports_.end());
}

Binding& ExecutionState::bind(bool& is_new, std::string& broken) {
  make_key();
  is_new = false;
  const auto found = std::ranges::find_if(bindings_, [&](const auto& binding) { return binding->key() == key_; });
  if (found != bindings_.end()) {
    std::rotate(bindings_.begin(), found, found + 1);
    return *bindings_.front();
  }
  is_new = true;
  auto binding = std::make_unique<Binding>(program_, key_);
  if (!binding->assign_inputs(inputs_, imports_, broken)) binding->give_up(0);
  bindings_.insert(bindings_.begin(), std::move(binding));
  drop_old_bindings();
  return *bindings_.front();
}

void ExecutionState::forget(Binding& binding) {
  std::erase_if(bindings_, [&](const auto& one) { return one.get() == &binding; });
}

void ExecutionState::drop_old_bindings() {
  size_t total = 0;
  for (size_t i = 0; i < bindings_.size(); ++i) {
    total += bindings_[i]->bytes();
    if (i == 0 || total <= kMaxBindingBytes) continue;
    bindings_.resize(i);
    return;
  }
}

Status ExecutionState::run(Binding& binding, std::span<const Value> given, std::vector<Value>& results,
                           const RunEnvironment& environment, RunTrace* trace) {
  struct Finish {
    ExecutionState& state;
    Binding& binding;
    int64_t start;
    ~Finish() {
      if (state.trace_ != nullptr) state.trace_->add_session_event(SessionEvent::execute, start);
      state.finish(binding);
    }
  } guard{*this, binding, trace != nullptr ? TraceClock::now() : 0};
  trace_ = trace;
  outer_ = trace != nullptr ? trace->running : ArenaShare();
  environments_.host = environment;
  for (size_t i = 0; i < program_.devices.size(); ++i) {
    RunEnvironment& device = environments_.devices[i];
    device = environment;
    device.allocator = &program_.devices[i]->allocator();
    device.device = program_.devices[i]->info();
    device.stream = program_.devices[i]->stream();
  }
  given_ = given;
  arenas_.resize(program_.stages.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const SlotId slot = program_.inputs[i];
    if (program_.constant(slot) != nullptr) continue;
    binding.values[slot] = inputs_[i];
    if (!inputs_[i].is_tensor() || is_aligned(inputs_[i].tensor())) continue;
    SDX_ASSIGN(Tensor aligned, clone(inputs_[i].tensor()));
    binding.values[slot] = std::move(aligned);
  }
  for (size_t stage = 0; stage < program_.stages.size(); ++stage) SDX_TRY(run_stage(binding, stage));
  return collect(binding, results);
}

Status ExecutionState::run_stage(Binding& binding, size_t stage) {
  if (!binding.is_bound(stage)) SDX_TRY(binding.bind_stage(stage, environments_, limits_));
  if (stage > 0 && stage < binding.first_dynamic_stage() && !found_as_foreseen(binding, stage)) binding.give_up(stage);
  if (stage < binding.first_dynamic_stage()) SDX_TRY(enter_stage(binding, stage));
  if (trace_ != nullptr) trace_->pause();
  return run_steps(binding, stage);
}

// What dynamic steps made before the stage has the shape that the stage's sizes say.
bool ExecutionState::found_as_foreseen(const Binding& binding, size_t stage) const {
  const plan::Stage& part = program_.stages[stage];
  return std::ranges::all_of(part.shapes, [&](SlotId slot) {
    const bool made_before =
        program_.slots[slot].storage == Storage::dynamic && program_.slots[slot].made_by < part.first_step;
    return !made_before || !binding.values[slot].defined() || binding.agrees(slot);
  });
}

Status ExecutionState::enter_stage(Binding& binding, size_t stage) {
  const plan::Stage& part = program_.stages[stage];
  if (const size_t bytes = binding.chunk_bytes(stage); bytes > 0) {
    if (limits_.account != nullptr) {
      SDX_TRY(limits_.account->charge(bytes));
      charged_ += bytes;
    }
    arenas_[stage] = ArenaPool::shared().take(preferred_[stage]);
    SDX_TRY(arenas_[stage]->reserve(bytes, environments_.host.pool));
    preferred_[stage] = arenas_[stage].get();
  }
  std::byte* base = arenas_[stage] != nullptr ? arenas_[stage]->base() : reinterpret_cast<std::byte*>(kTensorAlignment);
  if (binding.chunks[stage] != base) binding.move_chunk(stage, base);
  for (const SlotId view : part.input_views) {
    const Value& root = binding.values[program_.slots[view].root];
    if (root.is_tensor()) binding.share_memory(view, root);
  }
  return give_outputs(binding, stage);
}

// The caller's memory takes an output directly when it has the type and shape, and no input or other output shares it,
// unless that is a cache that its kernel lets grow in place.
bool ExecutionState::may_write_into(const Value& given, size_t output, const Shape& shape) const {
  const plan::Slot& slot = program_.slots[program_.outputs[output]];
  if (!given.is_tensor() || given.tensor().dtype() != slot.dtype || !(given.tensor().shape() == shape)) return false;
  if (!is_aligned(given.tensor())) return false;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].is_tensor() || !overlap(inputs_[i].tensor(), given.tensor())) continue;
    const bool in_place =
        program_.shared_input[output] == static_cast<int32_t>(i) && inputs_[i].tensor().raw() == given.tensor().raw();
    if (!in_place) return false;
  }
  for (size_t other = 0; other < given_.size(); ++other)
    if (other != output && given_[other].is_tensor() && overlap(given_[other].tensor(), given.tensor())) return false;
  return true;
}

Status ExecutionState::give_outputs(Binding& binding, size_t stage) {
  const plan::Stage& part = program_.stages[stage];
  for (const SlotId root : part.output_roots) {
    const Shape& shape = binding.spec(root).shape;
    Tensor memory;
    for (size_t output = 0; output < given_.size() && !memory.defined(); ++output) {
      const SlotId slot = program_.outputs[output];
      if (program_.slots[slot].root != root || !given_[output].is_tensor()) continue;
      if (!may_write_into(given_[output], output, binding.spec(slot).shape)) continue;
      void* data = const_cast<void*>(given_[output].tensor().raw());
      memory = Tensor::wrap(program_.slots[root].dtype, shape, data, nullptr);
    }
    if (!memory.defined()) {
      SDX_ASSIGN(memory, Tensor::allocate(program_.slots[root].dtype, shape, environments_.host.allocator));
    }
    binding.planned_data[root] = memory.raw();
    binding.owners[root] = memory.owner();
    binding.values[root] = std::move(memory);
  }
  for (const SlotId view : part.output_views) binding.share_memory(view, binding.values[program_.slots[view].root]);
  return {};
}

Status ExecutionState::run_steps(Binding& binding, size_t stage) {
  const plan::Stage& part = program_.stages[stage];
  const bool planned = stage < binding.first_dynamic_stage();
  const size_t count = planned ? part.runs.size() : part.end_step - part.first_step;
  size_t index = 0;
  const auto label = [&] { return program_.graph->node(program_.steps[index].node).label(); };
  const StopScope stops(environments_.host.cancel);
  try {
    for (size_t i = 0; i < count; ++i) {
      index = planned ? part.runs[i] : part.first_step + i;
      Status status;
      if (environments_.host.cancel != nullptr) status = environments_.host.cancel->check();
      if (status.ok()) {
        const bool bound = planned && program_.steps[index].mode == StepMode::planned;
        status = trace_ == nullptr ? run_step(binding, index, bound) : run_traced(binding, stage, index, bound);
      }
      if (!status.ok()) [[unlikely]]
        return std::move(status).with_prefix(label() + ": ");
    }
  } catch (const Stopped&) {
    return environments_.host.cancel->check().with_prefix(label() + ": ");
  } catch (const InternalError& error) {
    throw InternalError(label() + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return Status(Code::runtime_exception, "out of memory").with_prefix(label() + ": ");
  } catch (const std::length_error&) {
    return Status(Code::runtime_exception, "out of memory").with_prefix(label() + ": ");
  }
  return {};
}

Status ExecutionState::run_step(Binding& binding, size_t index, bool bound) {
  return bound ? run_planned(binding, index) : run_dynamic(binding, index);
}

Status ExecutionState::run_planned(Binding& binding, size_t index) {
  const Step& step = program_.steps[index];
  KernelContext& context = binding.context(index);
  const size_t outputs = context.output_count();
  if (step.owns_outputs) {
    for (SlotId slot = step.first_output; slot < step.first_output + outputs; ++slot) {
      if (program_.slots[slot].root != slot || program_.slots[slot].storage != Storage::owned) continue;
      Allocator* allocator = environments_.of(program_.slots[slot].device).allocator;
      SDX_ASSIGN(Tensor memory, Tensor::allocate(program_.slots[slot].dtype, binding.spec(slot).shape, allocator));
      binding.planned_data[slot] = memory.raw();
      binding.owners[slot] = memory.owner();
      binding.values[slot] = std::move(memory);
    }
  }
  SDX_TRY(step.chosen != nullptr ? step.chosen->kernel->run(context) : step.contract->reference(context));
  for (SlotId slot = step.first_output; slot < step.first_output + outputs; ++slot) {
    if (program_.slots[slot].value == kNoValue) continue;
    const Value& value = binding.values[slot];
    if (!value.is_tensor() || value.tensor().raw() != binding.planned_data[slot]) binding.restore_output(slot);
  }
  for (const SlotId slot : step.releases) {
    binding.values[slot] = Value();
    binding.owners[slot] = nullptr;
  }
  return {};
}

Status ExecutionState::collect(Binding& binding, std::vector<Value>& results) {
  results.resize(program_.outputs.size());
  TakenMemory taken;
  for (size_t output = 0; output < program_.outputs.size(); ++output) {
    const SlotId slot = program_.outputs[output];
    const SlotId root = program_.slots[slot].root;
    Value value = binding.values[slot];
    if (const plan::Constant* constant = program_.constant(slot)) value = constant->value;
    if (!value.defined()) return invalid_argument("the value \"{}\" is not there", program_.name(slot));
    // A view of memory that the run made for an output owns it too.
    const Value& memory = binding.values[root];
    if (root != slot && value.is_tensor() && memory.is_tensor() && memory.tensor().owner() != nullptr &&
        value.tensor().raw() == memory.tensor().raw())
      value = Tensor::wrap(value.tensor().dtype(), value.tensor().shape(), const_cast<void*>(value.tensor().raw()),
                           memory.tensor().owner());
    const bool in_place = output < given_.size() && given_[output].is_tensor() && value.is_tensor() &&
                          given_[output].tensor().raw() == value.tensor().raw() &&
                          given_[output].tensor().byte_size() == value.tensor().byte_size();
    if (in_place) {
      results[output] = given_[output];
      continue;
    }
    SDX_ASSIGN(results[output], detached(value, taken));
  }
  return {};
}

// Whatever happened: the run's memory goes back, nothing of the caller's stays.
void ExecutionState::finish(Binding& binding) {
  for (const SlotId slot : program_.transient) {
    binding.values[slot] = Value();
    binding.owners[slot] = nullptr;
  }
  const size_t dynamic_from = binding.first_dynamic_stage();
  for (size_t stage = dynamic_from; stage < program_.stages.size(); ++stage) {
    const plan::Stage& part = program_.stages[stage];
    for (size_t index = part.first_step; index < part.end_step; ++index) {
      const Step& step = program_.steps[index];
      const size_t outputs = program_.graph->node(step.node).outputs.size();
      for (SlotId slot = step.first_output; slot < step.first_output + outputs; ++slot) binding.values[slot] = Value();
    }
  }
  for (size_t stage = 0; stage < arenas_.size(); ++stage) {
    if (arenas_[stage] == nullptr) continue;
    arenas_[stage]->finish(binding.is_bound(stage) ? binding.chunk_bytes(stage) : 0);
    ArenaPool::shared().give_back(std::move(arenas_[stage]));
  }
  if (trace_ != nullptr) trace_->running = outer_;
  trace_ = nullptr;
  if (charged_ > 0) limits_.account->refund(std::exchange(charged_, 0));
  for (Value& input : inputs_) input = Value();
  given_ = {};
}

}  // namespace sdx::runtime
