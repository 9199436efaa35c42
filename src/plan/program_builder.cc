#include "plan/program_builder.h"

#include <algorithm>

#include "plan/insert_copies.h"

namespace sdx::plan {
namespace {

bool is_plannable(const Fact& fact) {
  return fact.is_tensor() && fact.has_rank() && fact.dtype != DType::undefined && fact.dtype != DType::string;
}

bool all_known(const Fact& fact) {
  return std::ranges::all_of(*fact.shape, [](const Dim& dim) { return dim.is_known(); });
}

// Its outputs may hold on to the memory of its inputs: loops hand out what they were given, sequences keep elements.
bool may_keep_inputs(const Graph& graph, const Node& node) {
  if (has_subgraph(node)) return true;
  const auto is_container = [&](ValueId value) { return value != kNoValue && !graph.fact(value).is_tensor(); };
  return std::ranges::any_of(node.inputs, is_container) || std::ranges::any_of(node.outputs, is_container);
}

}  // namespace

Result<std::unique_ptr<Program>> ProgramBuilder::build() {
  program_ = std::make_unique<Program>();
  program().graph = &graph_;
  program().threads = options_.threads;
  program().weights = options_.weights;
  program().sizes = std::make_unique<SizeProgram>(graph_.symbols());
  program().slot_of.assign(graph_.value_slots(), kNoSlot);
  is_output_.assign(graph_.value_slots(), false);
  for (const ValueId output : graph_.outputs()) is_output_[output] = true;
  add_inputs();
  add_constants();
  define_input_symbols();
  import_symbols();
  SDX_ASSIGN(const std::vector<NodeId> order, graph_.topological_order());
  for (const NodeId id : order) {
    const auto& outputs = graph_.node(id).outputs;
    const bool folded = std::ranges::all_of(outputs, [&](ValueId v) { return v == kNoValue || slot_of(v) != kNoSlot; });
    if (!folded || outputs.empty()) order_.push_back(id);
  }
  find_last_uses();
  find_kept_values();
  program().stages.emplace_back();
  for (const NodeId id : order_) SDX_TRY(add_step(id));
  program().stages.back().end_step = program().steps.size();
  for (const ValueId output : graph_.outputs()) program().outputs.push_back(slot_of(output));
  promote_outputs();
  finish_lifetimes();
  list_shared_slots();
  find_shared_caches();
  return std::move(program_);
}

SlotId ProgramBuilder::add_slot(ValueId value) {
  const auto id = static_cast<SlotId>(program().slots.size());
  Slot made;
  made.value = value;
  made.root = id;
  if (value != kNoValue) {
    made.dtype = graph_.fact(value).dtype;
    program().slot_of[value] = id;
  }
  program().slots.push_back(made);
  program().constants.emplace_back();
  group_last_.push_back(0);
  return id;
}

void ProgramBuilder::add_inputs() {
  const auto add = [&](ValueId value) {
    const SlotId id = slot_of(value) == kNoSlot ? add_slot(value) : slot_of(value);
    slot(id).storage = Storage::input;
    program().inputs.push_back(id);
  };
  for (const ValueId value : graph_.inputs()) add(value);
  for (const Capture& capture : graph_.captures()) add(capture.inner);
}

void ProgramBuilder::add_constants() {
  for (ValueId value = 0; value < graph_.value_slots(); ++value) {
    const ValueInfo& info = graph_.value(value);
    if (!info.fact.is_constant() || info.is_input) continue;
    const Tensor& weight = info.fact.constant;
    const SlotId id = slot_of(value) == kNoSlot ? add_slot(value) : slot_of(value);
    slot(id).storage = Storage::constant;
    // Without an owner: the graph keeps the memory, and an output that is a view of it is seen to need a copy.
    auto constant = std::make_unique<Constant>();
    constant->value = Tensor::wrap(weight.dtype(), weight.shape(), const_cast<void*>(weight.raw()), nullptr);
    program().constants[id] = std::move(constant);
  }
}

void ProgramBuilder::define_input_symbols() {
  for (uint32_t input = 0; input < program().inputs.size(); ++input) {
    const Fact& fact = graph_.fact(slot(program().inputs[input]).value);
    const auto define = [&](const Dim& dim, uint32_t index, std::vector<InputSymbol>& list) {
      const auto atom = dim.as_atom();
      if (!atom || graph_.symbols().atom(*atom).function != SymbolTable::Function::symbol) return;
      if (!program().sizes->defined(*atom)) list.push_back({input, index, program().sizes->define(*atom, 0)});
    };
    if (fact.is_tensor() && fact.shape)
      for (uint32_t axis = 0; axis < fact.shape->size(); ++axis)
        define((*fact.shape)[axis], axis, program().dim_symbols);
    if (fact.is_tensor() && fact.elements && (fact.dtype == DType::i64 || fact.dtype == DType::i32))
      for (uint32_t i = 0; i < fact.elements->size(); ++i) define((*fact.elements)[i], i, program().element_symbols);
  }
}

void ProgramBuilder::import_symbols() {
  if (outer_.program != nullptr) {
    for (AtomId atom = 0; atom < graph_.symbols().size(); ++atom) {
      if (graph_.symbols().atom(atom).function != SymbolTable::Function::symbol) continue;
      const auto outer = outer_.program->sizes->defined(atom);
      if (!outer || outer_.program->sizes->stage_of(*outer) > outer_.stage || program().sizes->defined(atom)) continue;
      imports_.push_back(*outer);
      program().imports.push_back(program().sizes->define(atom, 0));
    }
  }
  for (const SlotId input : program().inputs) compile_shape(slot(input));
}

void ProgramBuilder::find_last_uses() {
  last_use_.assign(graph_.value_slots(), 0);
  for (size_t index = 0; index < order_.size(); ++index) {
    const Node& node = graph_.node(order_[index]);
    for (const auto* list : {&node.inputs, &node.captures, &node.outputs})
      for (const ValueId value : *list)
        if (value != kNoValue) last_use_[value] = index;
  }
  for (const ValueId output : graph_.outputs()) last_use_[output] = kForever;
}

// Backwards, because a view hands its own fate on to what it views.
void ProgramBuilder::find_kept_values() {
  kept_.assign(graph_.value_slots(), false);
  for (size_t index = order_.size(); index-- > 0;) {
    const Node& node = graph_.node(order_[index]);
    if (may_keep_inputs(graph_, node))
      for (const ValueId input : node.inputs)
        if (input != kNoValue) kept_[input] = true;
    const ops::Contract* contract = contract_of(node);
    const int view = contract != nullptr ? contract->view_of : -1;
    if (view < 0 || node.outputs.empty() || node.outputs[0] == kNoValue || !kept_[node.outputs[0]]) continue;
    const ValueId viewed = node.inputs[static_cast<size_t>(view)];
    if (viewed != kNoValue) kept_[viewed] = true;
  }
}

Status ProgramBuilder::add_bodies(const Node& node, Step& step) {
  Status status;
  for_each_subgraph(node, [&](const Graph& inner, const std::string& attribute) {
    if (!status.ok()) return;
    ProgramBuilder builder(inner, providers_, options_, {program_.get(), stage_});
    auto program = builder.build();
    if (!program.ok()) {
      status = std::move(program).status();
      return;
    }
    Body body{attribute, std::move(program).value(), builder.imports(), {}};
    for (const Capture& capture : inner.captures()) body.captures.push_back(slot_of(capture.outer));
    step.bodies.push_back(std::move(body));
  });
  return status;
}

Status ProgramBuilder::add_step(NodeId id) {
  const Node& node = graph_.node(id);
  const providers::Provider& provider = provider_of(node, providers_);
  Step step;
  step.node = id;
  step.contract = contract_of(node);
  SDX_CHECK(step.contract != nullptr, "a node without a contract reaches the plan");
  add_candidates(node, step, provider);
  add_inputs_of(node, step, provider);
  step.first_input = program().input_count;
  program().input_count += step.inputs.size();
  SDX_TRY(add_bodies(node, step));
  step.first_output = static_cast<SlotId>(program().slots.size());
  const size_t index = program().steps.size();
  for (const ValueId output : node.outputs) {
    const SlotId made = add_slot(output);
    slot(made).made_by = index;
    slot(made).device = step.device;
  }
  if (step.device != 0 && !is_copy(node)) {
    const auto host = host_operands_of(graph_, node, provider, *options_.partition);
    for (size_t i = 0; i < node.outputs.size(); ++i)
      if (host.has_output(i)) slot(step.first_output + static_cast<SlotId>(i)).device = 0;
  }
  if (plan_step(node, step)) {
    step.mode = make_view(node, step) ? StepMode::view : StepMode::planned;
    if (step.mode == StepMode::planned)
      for (size_t i = 0; i < node.outputs.size(); ++i) place_output(node, step, i);
  } else {
    add_anchors(step);
  }
  for (size_t i = 0; i < node.outputs.size(); ++i)
    step.owns_outputs |= storage(step.first_output + static_cast<SlotId>(i)) == Storage::owned;
  if (step.mode != StepMode::view) program().stages.back().runs.push_back(static_cast<uint32_t>(index));
  const bool ends_stage = !step.anchors.empty();
  const SlotId first = step.first_output;
  program().steps.push_back(std::move(step));
  if (ends_stage) end_stage();
  for (SlotId output = first; output < first + node.outputs.size(); ++output)
    if (slot(output).shape_known) program().stages[slot(output).stage].shapes.push_back(output);
  return {};
}

bool ProgramBuilder::compile_shape(Slot& slot) {
  if (slot.value == kNoValue) return false;
  const Fact& fact = graph_.fact(slot.value);
  if (!is_plannable(fact)) return false;
  slot.dims.clear();
  slot.stage = stage_;
  for (const Dim& dim : *fact.shape) {
    const auto place = program().sizes->compile(dim);
    if (!place) return false;
    slot.dims.push_back(place->reg);
    slot.stage = std::max(slot.stage, place->stage);
  }
  slot.shape_known = true;
  return true;
}

bool ProgramBuilder::compile_checks(const Node& node, Step& step) {
  for (const Constraint& constraint : node.constraints) {
    const auto a = program().sizes->compile(constraint.a), b = program().sizes->compile(constraint.b);
    if (!a || !b) return false;
    step.checks.push_back({constraint.kind, a->reg, b->reg});
  }
  if (step.group != nullptr) return compile_group_checks(node, step);
  if (step.contract->records_constraints) return true;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    const Fact& fact = graph_.fact(node.inputs[i]);
    if (!all_known(fact)) step.infers_again = true;
    if (!slot(slot_of(node.inputs[i])).shape_known && !all_known(fact)) return false;
    const bool needs_value = i < 32 && (step.contract->needs_values >> i & 1) != 0;
    if (!needs_value || fact.is_constant()) continue;
    if (!fact.elements) return false;
    step.infers_again = true;
    for (const Dim& element : *fact.elements)
      if (!program().sizes->compile(element)) return false;
  }
  return true;
}

// What the rules inside a group must see.
bool ProgramBuilder::compile_group_checks(const Node& node, Step& step) {
  if (!step.group->infers_again) return true;
  for (const ValueId input : node.inputs) {
    const Fact& fact = graph_.fact(input);
    if (all_known(fact)) continue;
    if (!slot(slot_of(input)).shape_known) return false;
    step.infers_again = true;
  }
  return true;
}

// A planned step's shapes are expressions of what is known, and its kernel depends on types and ranks alone.
bool ProgramBuilder::plan_step(const Node& node, Step& step) {
  if (!step.bodies.empty() || node.outputs.empty()) return false;
  for (const ValueId input : node.inputs) {
    if (input == kNoValue) continue;
    const Fact& fact = graph_.fact(input);
    if (!fact.is_tensor() || !fact.has_rank() || fact.dtype == DType::undefined) return false;
  }
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != kNoValue && !compile_shape(slot(step.first_output + static_cast<SlotId>(i)))) return false;
  if (!compile_checks(node, step) || !choose_kernel(node, step)) return false;
  if (step.contract->view_of >= 0 && kept_[node.outputs[0]]) return false;  // with its input's owner
  return compile_scratch(node, step);
}

bool ProgramBuilder::choose_kernel(const Node& node, Step& step) {
  const auto facts = facts_of(graph_, node.inputs);
  const NodeFacts view(node, facts);
  for (const auto& candidate : step.candidates) {
    if (!candidate->kernel->can_run(view)) continue;
    step.chosen = candidate.get();
    return true;
  }
  return step.by_reference && step.contract->reference != nullptr;
}

bool ProgramBuilder::compile_scratch(const Node& node, Step& step) {
  if (step.chosen == nullptr || step.chosen->kernel->scratch_bytes == nullptr) return true;
  if (step.device != 0) return false;  // the arena is the CPU's
  const auto facts = facts_of(graph_, node.inputs);
  const auto outputs = facts_of(graph_, node.outputs);
  const NodeFacts view(node, facts);
  const Dim bytes = step.chosen->kernel->scratch_bytes({view, outputs, graph_.symbols(), options_.threads});
  const auto place = program().sizes->compile(bytes);
  if (place) step.scratch = place->reg;
  return place.has_value();
}

// Nothing runs where the output is the memory of a planned input, and the node makes nothing else.
bool ProgramBuilder::make_view(const Node& node, Step& step) {
  if (step.contract->view_of < 0 || step.device != 0) return false;
  for (size_t i = 1; i < node.outputs.size(); ++i)
    if (node.outputs[i] != kNoValue) return false;
  const SlotId viewed = step.inputs[static_cast<size_t>(step.contract->view_of)];
  const Storage held = storage(viewed);
  if (held == Storage::owned || held == Storage::dynamic) return false;
  Slot& output = slot(step.first_output);
  output.root = slot(viewed).root;
  size_t& last = group_last_[output.root];
  last = std::max(last, last_use_[node.outputs[0]]);
  return true;
}

// The root whose memory output 0 may take over, if this step is the last that reads it.
SlotId ProgramBuilder::in_place_root(const Node& node, const Step& step) const {
  if (step.contract->in_place < 0) return kNoSlot;
  const auto which = static_cast<size_t>(step.contract->in_place);
  if (which >= step.inputs.size() || step.inputs[which] == kNoSlot) return kNoSlot;
  const Slot& input = program_->slots[step.inputs[which]];
  const Slot& output = program_->slots[step.first_output];
  if (storage(step.inputs[which]) != Storage::arena || !input.shape_known) return kNoSlot;
  if (input.dtype != output.dtype || !(input.dims == output.dims)) return kNoSlot;
  if (group_last_[input.root] > program_->steps.size() || kept_[node.outputs[0]]) return kNoSlot;
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (i != which && step.inputs[i] != kNoSlot && program_->slots[step.inputs[i]].root == input.root) return kNoSlot;
  return input.root;
}

void ProgramBuilder::place_output(const Node& node, const Step& step, size_t index) {
  const SlotId id = step.first_output + static_cast<SlotId>(index);
  Slot& output = slot(id);
  const ValueId value = node.outputs[index];
  if (value == kNoValue) return;
  if (output.device != 0) {
    output.storage = Storage::owned;
    group_last_[id] = last_use_[value];
    return;
  }
  if (index == 0) {
    if (const SlotId root = in_place_root(node, step); root != kNoSlot) {
      output.root = root;
      group_last_[root] = std::max(group_last_[root], last_use_[value]);
      return;
    }
  }
  output.storage = is_graph_output(value) ? Storage::output : kept_[value] ? Storage::owned : Storage::arena;
  group_last_[id] = last_use_[value];
}

// What only the run can tell: dimensions that are symbols nobody has defined yet.
void ProgramBuilder::add_anchors(Step& step) {
  step.mode = StepMode::dynamic;
  step.checks.clear();
  step.scratch.reset();
  const Node& node = graph_.node(step.node);
  for (const Constraint& constraint : node.constraints) {
    const auto a = program().sizes->compile(constraint.a), b = program().sizes->compile(constraint.b);
    if (a && b && std::max(a->stage, b->stage) <= stage_) step.checks.push_back({constraint.kind, a->reg, b->reg});
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    Slot& output = slot(step.first_output + static_cast<SlotId>(i));
    output.storage = Storage::dynamic;
    output.root = step.first_output + static_cast<SlotId>(i);
    const Fact& fact = graph_.fact(output.value);
    if (!fact.is_tensor() || !fact.has_rank()) continue;
    for (uint32_t axis = 0; axis < fact.shape->size(); ++axis) {
      const auto atom = (*fact.shape)[axis].as_atom();
      if (!atom || graph_.symbols().atom(*atom).function != SymbolTable::Function::symbol) continue;
      // An element of an input may be -1 where the size that came of it is not: it is no size's other name.
      if (program().sizes->defined(*atom) || !graph_.symbols().atom(*atom).non_negative) continue;
      step.anchors.push_back({output.root, axis, program().sizes->define(*atom, stage_ + 1)});
    }
    compile_shape(output);
  }
}

void ProgramBuilder::end_stage() {
  ++stage_;
  program().stages.back().end_step = program().steps.size();
  program().stages.emplace_back().first_step = program().steps.size();
}

// A value that is handed out as a view, or was written in place, makes the memory it shares an output's.
void ProgramBuilder::promote_outputs() {
  for (const SlotId output : program().outputs) {
    Slot& root = slot(slot(output).root);
    if (root.storage == Storage::arena) root.storage = Storage::output;
  }
}

void ProgramBuilder::finish_lifetimes() {
  auto& steps = program().steps;
  for (SlotId id = 0; id < program().slots.size(); ++id) {
    const Slot& held = slot(id);
    if (held.value == kNoValue || held.made_by >= steps.size()) continue;
    const bool is_root = held.root == id;
    if (is_root && held.storage == Storage::arena) {
      steps[held.made_by].starts.push_back(id);
      steps[std::max(group_last_[id], held.made_by)].frees.push_back(id);
    } else if (is_root && (held.storage == Storage::owned || held.storage == Storage::dynamic)) {
      const size_t last = last_use_[held.value];
      if (last != kForever) steps[std::max(last, held.made_by)].releases.push_back(id);
    }
  }
}

void ProgramBuilder::list_shared_slots() {
  std::vector<bool> read(program().slots.size(), false);
  for (const SlotId output : program().outputs) read[output] = true;
  for (const Step& step : program().steps) {
    for (const SlotId input : step.inputs) {
      // A view of a view needs the first one only where its stage may run without the plan.
      const bool skipped =
          step.mode == StepMode::view && input != kNoSlot && slot(input).stage == slot(step.first_output).stage;
      if (input != kNoSlot && !skipped) read[input] = true;
    }
    for (const Body& body : step.bodies)
      for (const SlotId capture : body.captures) read[capture] = true;
  }
  for (SlotId id = 0; id < program().slots.size(); ++id) {
    const Storage held = storage(id);
    const bool is_root = slot(id).root == id;
    plan::Stage& part = program().stages[std::min<size_t>(slot(id).stage, program().stages.size() - 1)];
    if (held == Storage::input && !is_root && read[id]) part.input_views.push_back(id);
    if (held == Storage::output && is_root) part.output_roots.push_back(id);
    const bool written =
        slot(id).made_by < program().steps.size() && program().steps[slot(id).made_by].mode == StepMode::planned;
    if (held == Storage::output && !is_root && (read[id] || written)) part.output_views.push_back(id);
    if (is_root && held != Storage::arena && held != Storage::constant) program().transient.push_back(id);
  }
}

// A cache that the caller gives as input and output: its kernel must allow it, and nobody else may read the input.
void ProgramBuilder::find_shared_caches() {
  program().shared_input.assign(program().outputs.size(), -1);
  for (const Step& step : program().steps) {
    if (step.mode != StepMode::planned || step.chosen == nullptr) continue;
    for (const SharedCache& cache : step.chosen->kernel->shared_caches) {
      if (cache.input < 0 || static_cast<size_t>(cache.input) >= step.inputs.size()) continue;
      const SlotId past = step.inputs[static_cast<size_t>(cache.input)];
      const SlotId present = step.first_output + static_cast<SlotId>(cache.output);
      if (past == kNoSlot || graph_.value(slot(past).value).users.size() != 1) continue;
      const auto input = std::ranges::find(program().inputs, past);
      const auto output = std::ranges::find(program().outputs, present);
      if (input == program().inputs.end() || output == program().outputs.end()) continue;
      program().shared_input[static_cast<size_t>(output - program().outputs.begin())] =
          static_cast<int32_t>(input - program().inputs.begin());
    }
  }
}

}  // namespace sdx::plan
