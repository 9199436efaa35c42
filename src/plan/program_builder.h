// ProgramBuilder: turns a graph into a Program: slots, steps and their modes, who shares whose memory, stages.
#pragma once

#include <map>

#include "plan/program.h"

namespace sdx::plan {

// The enclosing program, for a subgraph: its symbols that are known by `stage` may be used.
struct OuterProgram {
  const Program* program = nullptr;
  uint32_t stage = 0;
};

class ProgramBuilder {
 public:
  ProgramBuilder(const Graph& graph, std::span<const providers::Provider* const> providers, const PlanOptions& options,
                 OuterProgram outer = {})
      : graph_(graph), providers_(providers), options_(options), outer_(outer) {}

  Result<std::unique_ptr<Program>> build();
  // The outer program's registers that the built program imports, in its order.
  const std::vector<Register>& imports() const { return imports_; }

 private:
  static constexpr size_t kForever = SIZE_MAX;

  SlotId add_slot(ValueId value);
  void add_inputs();
  void add_constants();
  void define_input_symbols();
  void import_symbols();
  void find_last_uses();
  void find_kept_values();
  Status add_step(NodeId id);
  void add_candidates(const Node& node, Step& step, const providers::Provider& provider);
  void add_inputs_of(const Node& node, Step& step, const providers::Provider& provider);
  Status add_bodies(const Node& node, Step& step);
  DeviceIndex device_of(const providers::Provider& provider);
  SlotId constant_in(DeviceIndex device, SlotId constant);
  bool plan_step(const Node& node, Step& step);
  bool compile_shape(Slot& slot);
  bool compile_checks(const Node& node, Step& step);
  bool compile_group_checks(const Node& node, Step& step);
  bool choose_kernel(const Node& node, Step& step);
  bool compile_scratch(const Node& node, Step& step);
  bool make_view(const Node& node, Step& step);
  void place_output(const Node& node, const Step& step, size_t index);
  SlotId in_place_root(const Node& node, const Step& step) const;
  void add_anchors(Step& step);
  void end_stage();
  void promote_outputs();
  void finish_lifetimes();
  void list_shared_slots();
  void find_shared_caches();

  Program& program() { return *program_; }
  Slot& slot(SlotId id) { return program_->slots[id]; }
  Storage storage(SlotId id) const { return program_->slots[program_->slots[id].root].storage; }
  SlotId slot_of(ValueId value) const { return value == kNoValue ? kNoSlot : program_->slot_of[value]; }
  bool is_graph_output(ValueId value) const { return value != kNoValue && is_output_[value]; }

  const Graph& graph_;
  std::span<const providers::Provider* const> providers_;
  PlanOptions options_;
  OuterProgram outer_;
  std::unique_ptr<Program> program_;
  std::vector<Register> imports_;
  std::vector<NodeId> order_;
  std::vector<size_t> last_use_;    // step index by value; kForever: the caller's
  std::vector<bool> kept_;          // values that a later value may hold on to
  std::vector<bool> is_output_;     // by value
  std::vector<size_t> group_last_;  // by root slot: the last step that reads the memory
  std::map<std::pair<DeviceIndex, SlotId>, SlotId> moved_constants_;
  uint32_t stage_ = 0;
};

}  // namespace sdx::plan
