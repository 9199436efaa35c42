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
  StepTraces& traces = binding.traces();
  return traces.record(index, step.chosen != nullptr ? step.chosen->kernel : nullptr, inputs, outputs, true, profiler);
}

// Calls f(value, is constant) for each value that the step read.
template <typename F>
void for_each_input(const plan::Program& program, const Step& step, std::span<const Value* const> inputs, F f) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] != nullptr) f(*inputs[i], program.constant(step.inputs[i]) != nullptr);
}

}  // namespace

Status ExecutionState::run_traced(Binding& binding, size_t stage, size_t index, bool bound) {
  StepTraces& traces = binding.traces();
  const bool planned = stage < binding.first_dynamic_stage();
  if (planned && !traces.has_stage(stage)) traces.plan_stage(stage, binding.registers());
  struct Running {
    TracedStep*& now;
    ~Running() { now = nullptr; }
  } running{traced_};
  TracedStep traced{.planned = planned};
  traced_ = &traced;
  Profiler& profiler = trace_->profiler();
  if (bound) {
    traced.record = traces.last_record(index, profiler);
  } else {  // subgraphs may run in it
    const ArenaUse own = planned ? traces.during(index) : ArenaUse();
    trace_->running = {outer_.held + charged_, {outer_.use.in_use + own.in_use, outer_.use.requested + own.requested}};
  }
  const auto used = [&] { return limits_.account != nullptr ? limits_.account->used() : charged_; };
  const size_t used_before = used();
  const int64_t start = trace_->step_start();
  Status status = run_step(binding, index, bound);
  const bool is_known = traced.record != nullptr && traced.end == 0;  // making its record takes time
  if (traced.end == 0) traced.end = TraceClock::now();
  if (traced.record == nullptr)
    traced.record = bound ? planned_record(program_, binding, index, profiler)
                          : traces.record(index, nullptr, {}, {}, planned, profiler);  // it failed early
  trace_->add_step(traced.record, start, traced.end, {used_before, used(), outer_.held + charged_, outer_.use});
  if (!is_known) trace_->pause();
  return status;
}

void ExecutionState::trace_dynamic(Binding& binding, size_t index, const Kernel* kernel,
                                   std::span<const Value* const> inputs, std::span<const Value> outputs) {
  const Step& step = program_.steps[index];
  StepTraces& traces = binding.traces();
  if (const StepRecord* last = traces.last_record(index, trace_->profiler())) {
    size_t read_to = 0, made_to = 0;
    bool is_same = traces.is_of(*last, index, kernel, traced_->planned);
    for_each_input(program_, step, inputs, [&](const Value& value, bool constant) {
      is_same = is_same && last->inputs.continues(read_to, value, constant);
    });
    for (const Value& output : outputs) is_same = is_same && last->outputs.continues(made_to, output, false);
    if (is_same && read_to == last->inputs.size() && made_to == last->outputs.size()) {
      traced_->record = last;
      return;
    }
  }
  traced_->end = TraceClock::now();
  TensorList read, made;
  for_each_input(program_, step, inputs, [&](const Value& value, bool constant) { read.add(value, constant); });
  for (const Value& output : outputs) made.add(output, false);
  traced_->record = traces.record(index, kernel, read, made, traced_->planned, trace_->profiler());
}

}  // namespace sdx::runtime
