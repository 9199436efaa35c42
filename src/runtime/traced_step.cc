// Steps of runs that are profiled.
#include "runtime/executor.h"

namespace sdx::runtime {
namespace {

using plan::kNoSlot;
using plan::SlotId;
using plan::Step;

// A planned step's record: everything about it is known before it runs.
const StepRecord* planned_record(const plan::Program& program, Binding& binding, size_t index, Profiler& profiler) {
  const Step& step = program.steps[index];
  TensorList inputs, outputs;
  const auto add = [&](TensorList& list, SlotId id) {
    if (id == kNoSlot || program.slots[id].value == kNoValue) return;
    const plan::Slot& slot = program.slots[id];
    const plan::Constant* constant = program.constant(id);
    if (constant != nullptr) return list.add(constant->value, true);
    if (!slot.shape_known) return list.add(binding.values[id], false);
    Shape shape;
    for (const plan::Register reg : slot.dims) shape.push_back(binding.registers()[reg]);
    list.add(slot.dtype, shape, plan::slot_bytes(program, id, binding.registers()).value_or(0), false);
  };
  for (const SlotId slot : step.inputs) add(inputs, slot);
  for (size_t i = 0; i < program.graph->node(step.node).outputs.size(); ++i)
    add(outputs, step.first_output + static_cast<SlotId>(i));
  return binding.traces().record(index, step.chosen != nullptr ? step.chosen->kernel : nullptr, inputs, outputs,
                                 profiler);
}

}  // namespace

Status ExecutionState::run_traced(Binding& binding, size_t stage, size_t index, bool bound) {
  StepTraces& traces = binding.traces();
  const bool planned = stage < binding.first_dynamic_stage();
  if (planned && !traces.has_stage(stage)) traces.plan_stage(stage, binding.registers());
  const auto memory = [&](ArenaUse use) {
    trace_->change(share_, {charged_, use});
    return trace_->memory(limits_.account != nullptr ? limits_.account->used() : charged_);
  };
  const RunTrace::Memory before = memory(planned ? traces.before(index) : ArenaUse());
  if (planned) trace_->change(share_, {charged_, traces.during(index)});
  struct Running {
    TracedStep*& now;
    ~Running() { now = nullptr; }
  } running{traced_};
  TracedStep traced;
  traced_ = &traced;
  if (bound) traced.record = traces.last_record(index, trace_->profiler());
  const int64_t start_ns = Profiler::now_ns();
  Status status = run_step(binding, index, bound);
  if (traced.end_ns == 0) traced.end_ns = Profiler::now_ns();
  if (traced.record == nullptr)
    traced.record = bound ? planned_record(program_, binding, index, trace_->profiler())
                          : traces.record(index, nullptr, {}, {}, trace_->profiler());  // it failed early
  const RunTrace::Memory after = memory(planned ? traces.during(index) : ArenaUse());
  trace_->add_step(traced.record, start_ns, traced.end_ns, before, after);
  return status;
}

void ExecutionState::trace_dynamic(Binding& binding, size_t index, const Kernel* kernel,
                                   std::span<const Value* const> inputs, std::span<const Value> outputs) {
  traced_->end_ns = Profiler::now_ns();
  const Step& step = program_.steps[index];
  TensorList read, made;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != nullptr) read.add(*inputs[i], program_.constant(step.inputs[i]) != nullptr);
  for (const Value& output : outputs) made.add(output, false);
  traced_->record = binding.traces().record(index, kernel, read, made, trace_->profiler());
}

}  // namespace sdx::runtime
