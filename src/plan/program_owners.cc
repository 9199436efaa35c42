// What a step takes from the provider that owns its node: kernels, the memory it reads and writes.
#include <algorithm>

#include "plan/insert_copies.h"
#include "plan/program_builder.h"

namespace sdx::plan {

void ProgramBuilder::add_candidates(const Node& node, Step& step, const providers::Provider& provider) {
  const auto add = [&](const Kernel& kernel) -> Candidate& {
    step.candidates.push_back(std::make_unique<Candidate>());
    step.candidates.back()->kernel = &kernel;
    return *step.candidates.back();
  };
  const auto add_ready = [&](ReadyKernel ready) {
    add(*ready.kernel).given = std::move(ready.state);
    step.by_reference = false;
  };
  if (node.provider.empty()) {
    if (options_.references_only) return;
    for (const Kernel& kernel : provider.kernels(*ops::find_op(node.domain, node.op))) add(kernel);
    return;
  }
  if (is_copy(node)) {
    if (node.op == kCopyFromHost) step.device = device_of(provider);
    return add_ready(copy_kernel(node, *provider.memory()));
  }
  step.device = device_of(provider);
  if (is_compiled_group(node)) {
    step.group = options_.partition->groups[group_index(node)].get();
    return add_ready(group_kernel(step.group->executable));
  }
  step.by_reference = false;
  for (const Kernel& kernel : provider.kernels(*ops::find_op(node.domain, node.op))) add(kernel);
}

void ProgramBuilder::add_inputs_of(const Node& node, Step& step, const providers::Provider& provider) {
  for (const ValueId input : node.inputs) step.inputs.push_back(slot_of(input));
  if (step.device == 0 || is_copy(node)) return;
  const auto host = host_operands_of(graph_, node, provider, *options_.partition);
  for (size_t i = 0; i < step.inputs.size(); ++i)
    if (step.inputs[i] != kNoSlot && !host.has_input(i) && program().constant(step.inputs[i]) != nullptr)
      step.inputs[i] = constant_in(step.device, step.inputs[i]);
}

DeviceIndex ProgramBuilder::device_of(const providers::Provider& provider) {
  if (provider.memory() == nullptr) return 0;
  auto& devices = program().devices;
  auto known = std::ranges::find(devices, provider.memory());
  if (known == devices.end()) known = devices.insert(devices.end(), provider.memory());
  return static_cast<DeviceIndex>(known - devices.begin() + 1);
}

// The slot of the weight in that memory.
SlotId ProgramBuilder::constant_in(DeviceIndex device, SlotId constant) {
  const auto [known, fresh] = moved_constants_.emplace(std::pair(device, constant), kNoSlot);
  if (!fresh) return known->second;
  const auto id = static_cast<SlotId>(program().slots.size());
  Slot made = slot(constant);
  made.root = id;
  made.device = device;
  program().slots.push_back(made);
  auto moved = std::make_unique<Constant>();
  moved->value = program().constant(constant)->value;
  moved->memory = program().devices[device - size_t{1}];
  program().constants.push_back(std::move(moved));
  group_last_.push_back(0);
  return known->second = id;
}

}  // namespace sdx::plan
