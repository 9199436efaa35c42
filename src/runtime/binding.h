// Binding: a program for inputs of certain shapes: sizes, places in the arena and kernels resolved, so that a run only
// calls kernels. Made stage by stage; used by one run at a time, and again by the next one with the same key.
#pragma once

#include <optional>

#include "plan/memory.h"
#include "runtime/memory_account.h"
#include "runtime/step_traces.h"

namespace sdx::runtime {

// What a dynamic step found out for the input shapes it saw last.
struct StepCache {
  bool valid = false;
  std::vector<DType> types;
  std::vector<Shape> shapes;
  std::vector<Tensor> values;  // copies of the inputs that shapes depend on
  std::vector<OutputSpec> specs;
  const plan::Candidate* candidate = nullptr;  // null: the reference
};

// What kernels see of a run: on the CPU, and by Program::devices.
struct RunEnvironments {
  RunEnvironment host;
  std::vector<RunEnvironment> devices;
  const RunEnvironment& of(plan::DeviceIndex device) const { return device == 0 ? host : devices[device - size_t{1}]; }
};

// What a run may hold in memory, the weights included.
struct RunLimits {
  size_t weight_bytes = 0;
  MemoryAccount* account = nullptr;  // null: no limit
};

class Binding {
 public:
  // The key holds the types and shapes of the inputs, the elements that sizes depend on, and the imported symbols.
  Binding(const plan::Program& program, std::vector<int64_t> key);

  const std::vector<int64_t>& key() const { return key_; }
  size_t bytes() const;  // of memory that it holds, about

  // Registers of stage 0. False, with the reason, where the inputs contradict what the plan assumes: the run then finds
  // out each shape as it goes.
  bool assign_inputs(std::span<const Value> inputs, std::span<const int64_t> imports, std::string& broken);

  // A stage is bound when its sizes are those of the last run.
  bool is_bound(size_t stage) const { return stage < bound_stages_; }
  // Fails where the run would need more than `limits` allow.
  Status bind_stage(size_t stage, const RunEnvironments& environments, const RunLimits& limits);
  // False where a shape that was found contradicts the rule that foresaw it.
  bool agrees(plan::SlotId slot) const;
  void set_anchor(const plan::Anchor& anchor);  // from the value in the slot; unbinds later stages when it changes

  // From this stage on, all steps find out their shapes as they run.
  size_t first_dynamic_stage() const { return first_dynamic_stage_; }
  void give_up(size_t stage) { first_dynamic_stage_ = std::min(first_dynamic_stage_, stage); }

  size_t chunk_bytes(size_t stage) const { return layout_.chunk_bytes(stage); }
  void move_chunk(size_t stage, std::byte* base);           // the arena of a stage stands elsewhere now
  void share_memory(plan::SlotId slot, const Value& root);  // the slot's shape over the root's memory
  void restore_output(plan::SlotId slot);  // a kernel made a tensor of its own: its bytes go where the plan has them

  const plan::Program& program() const { return program_; }
  std::span<const int64_t> registers() const { return registers_; }
  KernelContext& context(size_t step) { return *contexts_[step]; }
  StepCache& cache(size_t step);  // of a dynamic step
  StepTraces& traces();           // for a run that is profiled
  const OutputSpec& spec(plan::SlotId slot) const { return specs_[slot]; }

  std::vector<Value> values;                  // by slot
  std::vector<void*> planned_data;            // by slot: where its elements belong; null where the plan does not say
  std::vector<std::shared_ptr<void>> owners;  // by slot: of planned_data, during a run
  std::vector<std::byte*> chunks;             // by stage: where the arena stood last

 private:
  Status compute_shapes(size_t stage);
  void place(plan::SlotId slot, void* data);
  bool checks_hold(const plan::Step& step) const;
  bool infers_the_same(const plan::Step& step, size_t stage) const;
  bool group_infers_the_same(const plan::Step& step, size_t stage) const;
  void lay_out(size_t stage);
  Status check_memory(size_t stage, const RunLimits& limits) const;
  Status make_context(size_t step, const RunEnvironments& environments);

  const plan::Program& program_;
  std::vector<int64_t> key_;
  std::vector<int64_t> registers_;
  size_t bound_stages_ = 0;
  size_t first_dynamic_stage_ = SIZE_MAX;
  plan::ArenaLayout layout_;
  std::vector<plan::ArenaLayout> layouts_before_;       // by stage: the layout as it was before
  std::vector<plan::Position> positions_;               // by slot, of arena roots
  std::vector<plan::Position> scratch_positions_;       // by step
  std::vector<OutputSpec> specs_;                       // by slot
  std::vector<const Value*> input_pointers_;            // by step and input
  std::vector<std::optional<KernelContext>> contexts_;  // by step
  std::vector<std::unique_ptr<StepCache>> caches_;
  std::unique_ptr<StepTraces> traces_;
};

}  // namespace sdx::runtime
