// StepTraces: what a binding keeps for profiles: the records that events of its steps share, and the plan's use of the
// arena around each step.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "plan/program.h"
#include "runtime/trace_event.h"

namespace sdx::runtime {

struct ArenaUse {
  size_t in_use = 0;     // bytes of the blocks that are in use
  size_t requested = 0;  // the same without what alignment costs
};

class StepTraces {
 public:
  explicit StepTraces(const plan::Program& program) : program_(program), steps_(program.steps.size()) {}

  void forget(size_t stage);                                             // its sizes change, and those of later ones
  void plan_stage(size_t stage, std::span<const int64_t> registers);     // these are its sizes from now on
  bool has_stage(size_t stage) const { return stage < behind_.size(); }  // `plan_stage` knows it, and all before
  const ArenaUse& before(size_t step) const { return steps_[step].before; }
  const ArenaUse& during(size_t step) const { return steps_[step].during; }

  // The last one, or another where that is of another kernel, inputs or outputs.
  const std::shared_ptr<const StepRecord>& record(size_t step, const Kernel* kernel, const TensorList& inputs,
                                                  const TensorList& outputs);
  const std::shared_ptr<const StepRecord>& last_record(size_t step) const { return steps_[step].record; }

 private:
  struct Entry {
    ArenaUse before, during;
    std::shared_ptr<const StepFacts> facts;
    std::shared_ptr<const StepRecord> record;
  };
  const plan::Program& program_;
  std::vector<Entry> steps_;
  std::vector<ArenaUse> behind_;  // by stage
};

}  // namespace sdx::runtime
