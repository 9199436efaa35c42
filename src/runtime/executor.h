// Executor: runs a Program. ExecutionState holds what one run at a time needs and what the next run at the same shapes
// reuses.
#pragma once

#include "plan/program.h"

namespace sdx::runtime {

// What a step found out for the input shapes it saw last.
struct StepCache {
  bool valid = false;
  std::vector<DType> types;
  std::vector<Shape> shapes;
  std::vector<Tensor> values;  // copies of the inputs that shapes depend on
  std::vector<OutputSpec> specs;
  const plan::Candidate* candidate = nullptr;  // null: the reference
};

class ExecutionState {
 public:
  explicit ExecutionState(const plan::Program& program);

  const plan::Program& program() const { return program_; }
  std::vector<Value>& slots() { return slots_; }
  StepCache& cache(size_t step) { return caches_[step]; }
  ExecutionState& body(size_t step, size_t index);  // made on first use

 private:
  const plan::Program& program_;
  std::vector<Value> slots_;
  std::vector<StepCache> caches_;
  std::map<std::pair<size_t, size_t>, std::unique_ptr<ExecutionState>> bodies_;
};

// Inputs (and captures) stand in the state's slots; afterwards the outputs do. Errors carry the label of the node.
Status execute(ExecutionState& state, const RunEnvironment& environment);

// Reads a slot, a constant's included.
Result<Value> read_slot(ExecutionState& state, ValueId slot);

}  // namespace sdx::runtime
