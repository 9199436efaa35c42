#include "runtime/binding.h"

#include <algorithm>
#include <cstring>

#include "base/element.h"
#include "ops/checked_infer.h"
#include "plan/compiled_group.h"
#include "plan/prepare.h"

namespace sdx::runtime {

using plan::kNoSlot;
using plan::Slot;
using plan::SlotId;
using plan::Step;
using plan::StepMode;
using plan::Storage;

Binding::Binding(const plan::Program& program, std::vector<int64_t> key)
    : values(program.slots.size()),
      planned_data(program.slots.size(), nullptr),
      owners(program.slots.size()),
      chunks(program.stages.size(), nullptr),
      program_(program),
      key_(std::move(key)),
      registers_(program.sizes->register_count(), 0),
      positions_(program.slots.size()),
      scratch_positions_(program.steps.size()),
      specs_(program.slots.size()),
      input_pointers_(program.input_count, nullptr),
      contexts_(program.steps.size()),
      caches_(program.steps.size()) {
  for (size_t i = 0; i < program.slots.size(); ++i) specs_[i].dtype = program.slots[i].dtype;
}

size_t Binding::bytes() const {
  const size_t per_slot = sizeof(Value) + 3 * sizeof(void*) + sizeof(plan::Position) + sizeof(OutputSpec);
  const size_t per_step = sizeof(plan::Position) + sizeof(std::optional<KernelContext>) + sizeof(void*);
  return sizeof(*this) + key_.size() * 8 + registers_.size() * 8 + values.size() * per_slot +
         contexts_.size() * per_step + input_pointers_.size() * sizeof(void*);
}

StepCache& Binding::cache(size_t step) {
  if (caches_[step] == nullptr) caches_[step] = std::make_unique<StepCache>();
  return *caches_[step];
}

StepTraces& Binding::traces() {
  if (traces_ == nullptr) traces_ = std::make_unique<StepTraces>(program_);
  return *traces_;
}

bool Binding::assign_inputs(std::span<const Value> inputs, std::span<const int64_t> imports, std::string& broken) {
  const auto tensor_of = [&](uint32_t input) { return inputs[input].is_tensor() ? &inputs[input].tensor() : nullptr; };
  for (const plan::InputSymbol& symbol : program_.dim_symbols) {
    const Tensor* tensor = tensor_of(symbol.input);
    if (tensor == nullptr || symbol.index >= tensor->shape().size()) return false;
    registers_[symbol.reg] = tensor->dim(static_cast<int>(symbol.index));
  }
  for (const plan::InputSymbol& symbol : program_.element_symbols) {
    const Tensor* tensor = tensor_of(symbol.input);
    if (tensor == nullptr || symbol.index >= tensor->count() || !is_integer(tensor->dtype())) return false;
    registers_[symbol.reg] = load_i64(*tensor, symbol.index);
  }
  for (size_t i = 0; i < imports.size(); ++i) registers_[program_.imports[i]] = imports[i];
  if (!program_.sizes->evaluate(0, registers_)) return false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const SlotId id = program_.inputs[i];
    const Slot& slot = program_.slots[id];
    if (!slot.shape_known || program_.constant(id) != nullptr) continue;
    const Tensor* tensor = tensor_of(static_cast<uint32_t>(i));
    if (tensor == nullptr || tensor->shape().size() != slot.dims.size()) return false;
    for (size_t axis = 0; axis < slot.dims.size(); ++axis) {
      const int64_t found = tensor->dim(static_cast<int>(axis)), wanted = registers_[slot.dims[axis]];
      if (found == wanted) continue;
      const SymbolTable& symbols = program_.graph->symbols();
      broken =
          formatted("the symbol {} is {} and {} [input \"{}\"]",
                    symbols.to_text((*program_.graph->fact(slot.value).shape)[axis]), wanted, found, program_.name(id));
      return false;
    }
  }
  return true;
}

Status Binding::compute_shapes(size_t stage) {
  if (stage > 0 && !program_.sizes->evaluate(static_cast<uint32_t>(stage), registers_)) {
    give_up(stage);
    return {};
  }
  for (const SlotId id : program_.stages[stage].shapes) {
    const Slot& slot = program_.slots[id];
    OutputSpec& spec = specs_[id];
    spec.shape.resize(slot.dims.size());
    for (size_t axis = 0; axis < slot.dims.size(); ++axis) spec.shape[axis] = registers_[slot.dims[axis]];
    spec.shape_known = true;
    planned_data[id] = nullptr;
    if (plan::slot_bytes(program_, id, registers_)) continue;
    give_up(stage);  // its rule says what is wrong
    return {};
  }
  return {};
}

bool Binding::checks_hold(const Step& step) const {
  return std::ranges::all_of(step.checks, [&](const plan::Check& check) {
    const int64_t a = registers_[check.a], b = registers_[check.b];
    switch (check.kind) {
      case Constraint::Kind::equal: return a == b;
      case Constraint::Kind::broadcasts: return a == b || a == 1 || b == 1;
      case Constraint::Kind::divides: return b == -1 || (b != 0 && a % b == 0);
      case Constraint::Kind::at_least: return a >= b;
    }
    return false;
  });
}

// The rules of the nodes inside, with what is known of the inputs by the stage.
bool Binding::group_infers_the_same(const Step& step, size_t stage) const {
  const Graph& graph = *program_.graph;
  const Node& node = graph.node(step.node);
  std::vector<Fact> facts(node.inputs.size());
  std::vector<const Fact*> pointers(node.inputs.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Fact& symbolic = graph.fact(node.inputs[i]);
    pointers[i] = &facts[i];
    facts[i] = Fact::tensor(symbolic.dtype);
    facts[i].shape.emplace();
    for (size_t axis = 0; axis < symbolic.shape->size(); ++axis) {
      const Dim& dim = (*symbolic.shape)[axis];
      facts[i].shape->push_back(dim.is_known() ? dim : Dim(registers_[program_.slots[step.inputs[i]].dims[axis]]));
    }
    std::vector<Dim> elements;
    for (const Dim& element : symbolic.elements.value_or(std::vector<Dim>())) {
      const auto place = program_.sizes->find(element);
      if (place && program_.sizes->stage_of(*place) <= stage) elements.push_back(Dim(registers_[*place]));
    }
    if (symbolic.elements && elements.size() == symbolic.elements->size()) facts[i].elements = std::move(elements);
  }
  const auto inferred = plan::infer_group(step.group->graph, pointers);
  if (!inferred.ok()) return false;  // the run words the error
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const OutputSpec& spec = specs_[step.first_output + i];
    if (!(*inferred)[i].shape_known || !((*inferred)[i].shape == spec.shape)) return false;
  }
  return true;
}

// The rule itself, with numbers, for operators that do not record what they could not decide.
bool Binding::infers_the_same(const Step& step, size_t stage) const {
  if (step.group != nullptr) return group_infers_the_same(step, stage);
  const Graph& graph = *program_.graph;
  const Node& node = graph.node(step.node);
  std::vector<Fact> facts(node.inputs.size());
  std::vector<const Fact*> pointers(node.inputs.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (step.inputs[i] == kNoSlot) continue;
    const Slot& slot = program_.slots[step.inputs[i]];
    const Fact& symbolic = graph.fact(node.inputs[i]);
    facts[i] = Fact::tensor(symbolic.dtype);
    pointers[i] = &facts[i];
    if (symbolic.is_constant()) {
      facts[i] = Fact::constant_of(symbolic.constant);
      continue;
    }
    facts[i].shape.emplace();
    for (size_t axis = 0; axis < symbolic.shape->size(); ++axis) {
      const Dim& dim = (*symbolic.shape)[axis];
      facts[i].shape->push_back(dim.is_known() ? dim : Dim(registers_[slot.dims[axis]]));
    }
    if (!symbolic.elements || i >= 32 || (step.contract->needs_values >> i & 1) == 0) continue;
    facts[i].elements.emplace();
    for (const Dim& element : *symbolic.elements) {
      const auto place = program_.sizes->find(element);
      SDX_CHECK(place.has_value(), "an element that a size depends on is not compiled");
      facts[i].elements->push_back(Dim(registers_[*place]));
    }
  }
  SymbolTable symbols;
  ops::InferContext ctx(node, pointers, symbols);
  auto inferred = ops::checked_infer(*step.contract, ctx);
  if (!inferred.ok()) return false;  // the run words the error
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue) continue;
    const OutputSpec& spec = specs_[step.first_output + i];
    const auto shape = i < inferred->list.size() ? inferred->list[i].known_shape() : std::nullopt;
    if (!shape || !std::ranges::equal(*shape, spec.shape)) return false;
  }
  return true;
}

void Binding::lay_out(size_t stage) {
  layouts_before_.resize(stage);
  layouts_before_.push_back(layout_);
  plan::lay_out_stage(program_, stage, registers_, layout_, positions_, scratch_positions_);
}

Status Binding::make_context(size_t index, const RunEnvironments& environments) {
  const Step& step = program_.steps[index];
  const Node& node = program_.graph->node(step.node);
  const Kernel* kernel = step.chosen != nullptr ? step.chosen->kernel : nullptr;
  if (Status prepared = plan::prepare_step(program_, step); !prepared.ok())
    return std::move(prepared).with_prefix(node.label() + ": ");
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const SlotId slot = step.inputs[i];
    const Value*& pointer = input_pointers_[step.first_input + i];
    if (slot == kNoSlot) continue;
    pointer = &values[slot];
    const plan::Constant* constant = program_.constant(slot);
    if (constant == nullptr) continue;
    pointer = &constant->value;
    if (!plan::packs(kernel, i)) {
      SDX_ASSIGN(pointer, plan::input_value(*constant, kernel, i, program_.weights));
    }
  }
  const std::span<const Value* const> inputs(input_pointers_.data() + step.first_input, step.inputs.size());
  contexts_[index].emplace(
      node, inputs, std::span<const OutputSpec>(specs_).subspan(step.first_output, node.outputs.size()),
      std::span<Value>(values).subspan(step.first_output, node.outputs.size()), environments.of(step.device));
  if (step.chosen != nullptr) contexts_[index]->set_state(step.chosen->state());
  return {};
}

Status Binding::check_memory(size_t stage, const RunLimits& limits) const {
  const size_t limit = limits.account != nullptr ? limits.account->limit() : SIZE_MAX;
  if (limit == SIZE_MAX) return {};
  size_t needed = limits.weight_bytes + layout_.total_bytes();
  for (size_t i = 0; i <= stage; ++i)
    for (const SlotId slot : program_.stages[i].output_roots)
      needed += plan::slot_bytes(program_, slot, registers_).value_or(0);
  if (needed <= limit) return {};
  return make_error(Code::runtime_exception,
                    "out of memory: a run of graph \"{}\" needs {} bytes ({}), the limit is {}", program_.graph->name,
                    needed, plan::memory_formula(program_), limit);
}

Status Binding::bind_stage(size_t stage, const RunEnvironments& environments, const RunLimits& limits) {
  bound_stages_ = stage;
  if (traces_ != nullptr) traces_->forget(stage);
  if (stage < layouts_before_.size()) layout_ = layouts_before_[stage];
  if (stage < first_dynamic_stage_) SDX_TRY(compute_shapes(stage));
  if (stage < first_dynamic_stage_) {
    const plan::Stage& part = program_.stages[stage];
    for (size_t index = part.first_step; index < part.end_step; ++index) {
      const Step& step = program_.steps[index];
      bool right = checks_hold(step);
      if (step.mode == StepMode::dynamic && right) continue;
      if (right && step.infers_again) right = infers_the_same(step, stage);
      if (right && step.scratch) right = registers_[*step.scratch] >= 0;
      if (right) continue;
      give_up(stage);
      break;
    }
  }
  if (stage >= first_dynamic_stage_) {
    bound_stages_ = stage + 1;
    return {};
  }
  lay_out(stage);
  SDX_TRY(check_memory(stage, limits));
  const plan::Stage& part = program_.stages[stage];
  plan::prepare_together(program_, part, environments.host.pool);
  for (size_t index = part.first_step; index < part.end_step; ++index) {
    const Step& step = program_.steps[index];
    if (step.mode == StepMode::planned) SDX_TRY(make_context(index, environments));
    if (step.mode != StepMode::view) continue;
    const plan::Constant* constant = program_.constant(program_.slots[step.first_output].root);
    if (constant == nullptr) continue;
    SDX_ASSIGN(const Value* aligned, plan::kernel_value(*constant, program_.weights));
    share_memory(step.first_output, *aligned);
  }
  chunks[stage] = nullptr;
  bound_stages_ = stage + 1;
  return {};
}

void Binding::share_memory(SlotId slot, const Value& root) { place(slot, const_cast<void*>(root.tensor().raw())); }

void Binding::place(SlotId slot, void* data) {
  if (planned_data[slot] != nullptr && values[slot].is_tensor()) {  // of this shape since the stage was bound
    values[slot].tensor().move_to(data);
  } else {
    values[slot] = Tensor::wrap(program_.slots[slot].dtype, specs_[slot].shape, data, nullptr);
  }
  planned_data[slot] = data;
}

void Binding::move_chunk(size_t stage, std::byte* base) {
  chunks[stage] = base;
  std::fill(chunks.begin() + static_cast<ptrdiff_t>(stage) + 1, chunks.end(), nullptr);  // they use this one's gaps
  const plan::Stage& part = program_.stages[stage];
  for (size_t index = part.first_step; index < part.end_step; ++index) {
    const Step& step = program_.steps[index];
    if (step.mode == StepMode::dynamic) continue;
    const size_t outputs = program_.graph->node(step.node).outputs.size();
    for (SlotId slot = step.first_output; slot < step.first_output + outputs; ++slot) {
      const Slot& info = program_.slots[slot];
      if (info.value == kNoValue || program_.slots[info.root].storage != Storage::arena) continue;
      const plan::Position position = positions_[info.root];
      place(slot, chunks[position.chunk] + position.offset);
    }
    if (!step.scratch) continue;
    const plan::Position position = scratch_positions_[index];
    contexts_[index]->set_scratch(
        {chunks[position.chunk] + position.offset, static_cast<size_t>(registers_[*step.scratch])});
  }
}

bool Binding::agrees(SlotId slot) const {
  const Slot& info = program_.slots[slot];
  if (!values[slot].is_tensor() || values[slot].tensor().shape().size() != info.dims.size()) return false;
  for (size_t axis = 0; axis < info.dims.size(); ++axis)
    if (values[slot].tensor().dim(static_cast<int>(axis)) != registers_[info.dims[axis]]) return false;
  return true;
}

void Binding::set_anchor(const plan::Anchor& anchor) {
  const Value& value = values[anchor.slot];
  const bool has_axis = value.is_tensor() && anchor.axis < value.tensor().shape().size();
  const uint32_t stage = program_.sizes->stage_of(anchor.reg);
  if (!has_axis) {
    give_up(stage);
    return;
  }
  const int64_t size = value.tensor().dim(static_cast<int>(anchor.axis));
  if (registers_[anchor.reg] == size && is_bound(stage)) return;
  registers_[anchor.reg] = size;
  if (first_dynamic_stage_ > 0) first_dynamic_stage_ = SIZE_MAX;
  bound_stages_ = std::min<size_t>(bound_stages_, stage);
}

void Binding::restore_output(SlotId slot) {
  const Slot& info = program_.slots[slot];
  const OutputSpec& spec = specs_[slot];
  const bool fits = values[slot].is_tensor() && values[slot].tensor().dtype() == info.dtype &&
                    values[slot].tensor().shape() == spec.shape;
  SDX_CHECK(fits, "a kernel made another tensor than its shape rule foresaw");
  if (info.device != 0) {  // it stays where it is
    SDX_CHECK(values[slot].tensor().owner() != nullptr, "a provider's kernel made a tensor that owns no memory");
    return;
  }
  const Tensor& made = values[slot].tensor();
  if (made.byte_size() > 0) std::memcpy(planned_data[slot], made.raw(), made.byte_size());
  values[slot] = Tensor::wrap(info.dtype, spec.shape, planned_data[slot], owners[slot]);
}

}  // namespace sdx::runtime
