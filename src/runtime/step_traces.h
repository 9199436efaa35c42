// StepTraces: what a binding keeps for profiles: the records that events of its steps share, and the plan's use of the
// arena around each step.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "plan/program.h"
#include "runtime/profiler.h"

namespace sdx::runtime {

class StepTraces {
 public:
  explicit StepTraces(const plan::Program& program)
      : program_(program), steps_(program.steps.size()), facts_(program.steps.size()) {}

  void forget(size_t stage);                                             // its sizes change, and those of later ones
  void plan_stage(size_t stage, std::span<const int64_t> registers);     // these are its sizes from now on
  bool has_stage(size_t stage) const { return stage < behind_.size(); }  // `plan_stage` knows it, and all before
  const ArenaUse& during(size_t step) const { return steps_[step].during; }

  // The last one, or another where that is of another kernel, inputs or outputs. The profiler keeps it.
  const StepRecord* record(size_t step, const Kernel* kernel, const TensorList& inputs, const TensorList& outputs,
                           bool planned, Profiler& profiler);
  // Whether kernel and arena are the same, too.
  bool is_of(const StepRecord& record, size_t step, const Kernel* kernel, bool planned) const;
  const StepRecord* last_record(size_t step, Profiler& profiler);  // null: there is none

 private:
  struct alignas(64) Entry {  // one cache line: it is cold when its step comes
    ArenaUse before, during;
    std::shared_ptr<const StepRecord> record;
    uint64_t kept_by = 0;  // the profiler's id
  };
  const plan::Program& program_;
  std::vector<Entry> steps_;
  std::vector<std::shared_ptr<const StepFacts>> facts_;  // by step
  std::vector<ArenaUse> behind_;                         // by stage
};

}  // namespace sdx::runtime
