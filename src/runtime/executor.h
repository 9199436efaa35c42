// Executor: runs a Program. ExecutionState holds what one run at a time needs and what the next one reuses: bindings by
// the shapes of the inputs, arenas, the states of subgraphs.
#pragma once

#include <map>

#include "runtime/arena.h"
#include "runtime/binding.h"
#include "runtime/run_trace.h"
#include "runtime/step_traces.h"

namespace sdx::runtime {

// What an event says of a step, as far as the step itself can tell.
struct TracedStep {
  bool planned = false;
  const StepRecord* record = nullptr;
  int64_t end = 0;  // 0: when it returns
};

class ExecutionState {
 public:
  explicit ExecutionState(const plan::Program& program);
  ~ExecutionState();

  const plan::Program& program() const { return program_; }
  // What the run reads, in the order of the program's inputs and imports. Memory is only lent.
  std::vector<Value>& inputs() { return inputs_; }
  std::vector<int64_t>& imports() { return imports_; }
  void set_limits(const RunLimits& limits) { limits_ = limits; }

  // Finds the binding for the inputs or makes it; `is_new` says which. `broken`: the assumption that does not hold.
  Binding& bind(bool& is_new, std::string& broken);

  void forget(Binding& binding);  // as if it had never been made

  // `given`: by output, a tensor of the caller's to write into, or nothing. A result that could be written there is
  // that tensor; the others own their memory. Errors carry the label of the node. `trace`: null where nobody profiles.
  Status run(Binding& binding, std::span<const Value> given, std::vector<Value>& results,
             const RunEnvironment& environment, RunTrace* trace = nullptr);

 private:
  friend class BodyRunner;
  static constexpr size_t kMaxBindingBytes = 16 << 20;

  void make_key();
  void drop_old_bindings();
  Status run_stage(Binding& binding, size_t stage);
  bool found_as_foreseen(const Binding& binding, size_t stage) const;
  Status enter_stage(Binding& binding, size_t stage);
  Status run_steps(Binding& binding, size_t stage);
  Status run_step(Binding& binding, size_t index, bool bound);
  Status run_traced(Binding& binding, size_t stage, size_t index, bool bound);
  Status run_planned(Binding& binding, size_t index);
  Status run_dynamic(Binding& binding, size_t index);
  Status allocate_host_outputs(const plan::Step& step, std::span<const OutputSpec> specs, std::span<Value> outputs);
  void take_empty_shapes(const Binding& binding, size_t index, StepCache& cache) const;
  bool is_foreseen(const Binding& binding, size_t index, plan::SlotId slot) const;
  void trace_dynamic(Binding& binding, size_t index, const Kernel* kernel, std::span<const Value* const> inputs,
                     std::span<const Value> outputs);
  Status refresh(StepCache& cache, const plan::Step& step, const Node& node, std::span<const Value* const> inputs);
  bool outlives_its_memory(const plan::Step& step) const;
  Status keep_outputs(Binding& binding, size_t index, std::span<Value> outputs);
  Status give_outputs(Binding& binding, size_t stage);
  bool may_write_into(const Value& given, size_t output, const Shape& shape) const;
  Status collect(Binding& binding, std::vector<Value>& results);
  void finish(Binding& binding);
  ExecutionState& body(size_t step, size_t index);

  const plan::Program& program_;
  RunEnvironments environments_;  // what bound kernels see
  RunLimits limits_;
  size_t charged_ = 0;  // for arenas, during a run
  RunTrace* trace_ = nullptr;
  ArenaShare outer_;              // what the graphs around this one have, in a run that is profiled
  TracedStep* traced_ = nullptr;  // the step that runs
  std::vector<Value> inputs_;
  std::vector<int64_t> imports_, key_;
  std::span<const Value> given_;
  std::vector<std::unique_ptr<Binding>> bindings_;  // the one used last is the first
  std::vector<std::unique_ptr<Arena>> arenas_;      // by stage, during a run
  std::vector<const Arena*> preferred_;             // the arenas of the last run
  std::map<std::pair<size_t, size_t>, std::unique_ptr<ExecutionState>> bodies_;
};

}  // namespace sdx::runtime
