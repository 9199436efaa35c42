#include "runtime/step_traces.h"

#include <functional>

#include "plan/memory.h"
#include "runtime/count_operations.h"

namespace sdx::runtime {
namespace {

constexpr std::string_view kCpuProvider = "CPUExecutionProvider";

std::shared_ptr<const StepFacts> facts_of(const plan::Program& program, size_t step) {
  const NodeId id = program.steps[step].node;
  const Node& node = program.graph->node(id);
  auto facts = std::make_shared<StepFacts>();
  facts->op = node.op;
  facts->provider = node.provider.empty() ? kCpuProvider : node.provider;
  facts->node_index = id;
  for (const std::string& origin : node.origins)
    if (!origin.empty()) facts->origins.push_back(origin);
  if (facts->origins.empty() && !node.name.empty()) facts->origins.push_back(node.name);
  facts->name = facts->origins.empty() ? formatted("{}_{}", node.op, id) : facts->origins[0];
  return facts;
}

std::string_view name_of(const Kernel* kernel) { return kernel != nullptr ? kernel->name : std::string_view(); }

}  // namespace

void StepTraces::forget(size_t stage) {
  if (stage < behind_.size()) behind_.resize(stage);
  for (size_t index = program_.stages[stage].first_step; index < steps_.size(); ++index) steps_[index].record = nullptr;
}

void StepTraces::plan_stage(size_t stage, std::span<const int64_t> registers) {
  behind_.resize(stage);
  ArenaUse now = stage > 0 ? behind_.back() : ArenaUse();
  const auto take = [&](plan::SlotId slot, auto change) {
    const size_t bytes = plan::slot_bytes(program_, slot, registers).value_or(0);
    now.requested = change(now.requested, bytes);
    now.in_use = change(now.in_use, plan::ArenaLayout::rounded(bytes));
  };
  const plan::Stage& part = program_.stages[stage];
  for (size_t index = part.first_step; index < part.end_step; ++index) {
    const plan::Step& step = program_.steps[index];
    steps_[index].before = now;
    for (const plan::SlotId slot : step.starts) take(slot, std::plus());
    steps_[index].during = now;
    if (step.scratch) {
      const auto bytes = static_cast<size_t>(registers[*step.scratch]);
      steps_[index].during.requested += bytes;
      steps_[index].during.in_use += plan::ArenaLayout::rounded(bytes);
    }
    for (const plan::SlotId slot : step.frees) take(slot, std::minus());
  }
  behind_.push_back(now);
}

const StepRecord* StepTraces::last_record(size_t step, Profiler& profiler) {
  Entry& entry = steps_[step];
  if (entry.record != nullptr && entry.kept_by != profiler.id()) {
    profiler.keep(entry.record);
    entry.kept_by = profiler.id();
  }
  return entry.record.get();
}

bool StepTraces::is_of(const StepRecord& record, size_t step, const Kernel* kernel, bool planned) const {
  const Entry& entry = steps_[step];
  return record.kernel == name_of(kernel) && record.before == (planned ? entry.before : ArenaUse()) &&
         record.during == (planned ? entry.during : ArenaUse());
}

const StepRecord* StepTraces::record(size_t step, const Kernel* kernel, const TensorList& inputs,
                                     const TensorList& outputs, bool planned, Profiler& profiler) {
  Entry& entry = steps_[step];
  const StepRecord* last = entry.record.get();
  if (last == nullptr || !is_of(*last, step, kernel, planned) || last->inputs != inputs || last->outputs != outputs) {
    if (facts_[step] == nullptr) facts_[step] = facts_of(program_, step);
    const Node& node = program_.graph->node(program_.steps[step].node);
    entry.record = std::make_shared<const StepRecord>(
        StepRecord{facts_[step], name_of(kernel), inputs, outputs, planned ? entry.before : ArenaUse(),
                   planned ? entry.during : ArenaUse(), count_operations(node, inputs, outputs)});
    entry.kept_by = 0;
  }
  return last_record(step, profiler);
}

}  // namespace sdx::runtime
