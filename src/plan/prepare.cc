#include "plan/prepare.h"

#include <algorithm>
#include <cstring>

#include "base/cpu.h"
#include "base/kept_files.h"
#include "base/page_memory.h"
#include "base/weight_heap.h"
#include "graph/attribute_text.h"
#include "kernel/weight_parts.h"

namespace sdx::plan {
namespace {

// Everything that `prepare` may look at; empty where it cannot be told.
std::string state_key(const Kernel& kernel, const Node& node, std::span<const Fact* const> inputs,
                      const WeightSource* weights) {
  const auto is_weight = [](const Fact* fact) { return fact != nullptr && fact->constant.defined(); };
  if (weights == nullptr || std::ranges::none_of(inputs, is_weight)) return {};
  std::string key = formatted("state {} {} ", kernel.name, static_cast<int>(best_isa()));
  for (const Attribute& attribute : node.attributes.list()) {
    const auto content = attribute_text(attribute);
    if (!content) return {};
    key += formatted("{}={};", attribute.name, *content);
  }
  for (const Fact* fact : inputs) {
    key += "|";
    if (fact == nullptr) continue;
    key += name(fact->dtype);
    if (fact->shape)
      for (const Dim& dim : *fact->shape) key += dim.is_known() ? formatted(",{}", dim.known()) : ",?";
    if (!fact->constant.defined()) continue;
    const std::string content = told_apart(*weights, fact->constant);
    if (content.empty()) return {};
    key += "@" + content;
  }
  return key;
}

// A copy, with the source's pages given back behind it: never two of a large weight in memory.
Result<Tensor> copy_weight(const Tensor& weight, WeightSource* weights) {
  constexpr size_t kPart = 1 << 20;
  SDX_ASSIGN(Tensor copy, Tensor::allocate(weight.dtype(), weight.shape()));
  if (weights != nullptr && weights->read_part(weight.bytes(), weight.byte_size(), copy.bytes())) return copy;
  for (size_t begin = 0; begin < weight.byte_size(); begin += kPart) {
    const size_t count = std::min(kPart, weight.byte_size() - begin);
    std::byte* source = const_cast<std::byte*>(weight.bytes()) + begin;
    std::memcpy(copy.bytes() + begin, source, count);
    if (weights == nullptr) continue;
    weights->release(Tensor::wrap(DType::u8, Shape{static_cast<int64_t>(count)}, source, nullptr));
  }
  return copy;
}

// Of a file; what others gave is read where it is, if it is aligned.
bool reads_in_parts(const Kernel* kernel, size_t input, const Tensor& weight, const WeightSource* weights) {
  if (!is_in_parts(kernel->packs_inputs, input) || weights == nullptr) return false;
  const bool has_floats = weight.dtype() == DType::f32 || weight.dtype() == DType::f16;
  return has_floats && weight.byte_size() >= kPageMemoryFrom && weights->gives_parts(weight);
}

Result<std::shared_ptr<const KernelState>> make_state(const Candidate& candidate, const Node& node,
                                                      std::span<Fact> facts, std::span<const Fact* const> pointers,
                                                      WeightSource* weights) {
  // Weights are read once; those that the file has unaligned are copied for that time only.
  std::vector<Tensor> read, in_parts;
  for (Fact& fact : facts) {
    if (!fact.constant.defined()) continue;
    read.push_back(fact.constant);
    const auto input = static_cast<size_t>(std::ranges::find(pointers, &fact) - pointers.begin());
    if (reads_in_parts(candidate.kernel, input, fact.constant, weights)) {
      in_parts.push_back(fact.constant);
      continue;
    }
    if (weights != nullptr) {
      SDX_ASSIGN(fact.constant, weights->content(fact.constant));
    }
    if (is_aligned(fact.constant)) continue;
    SDX_ASSIGN(fact.constant, copy_weight(fact.constant, weights));
  }
  const auto read_part = [&](const Tensor& weight, int64_t first, int64_t count, std::byte* to) {
    weights->read_elements(weight, first, count, to);
  };
  const WeightParts::Scope parts(in_parts, read_part);
  SDX_ASSIGN(auto state, candidate.kernel->prepare(NodeFacts(node, pointers)));
  for (size_t i = 0; weights != nullptr && i < read.size(); ++i) weights->release(read[i]);
  return std::shared_ptr<const KernelState>(std::move(state));
}

}  // namespace

Status prepare_once(const Candidate& candidate, const Node& node, std::span<Fact> facts,
                    std::span<const Fact* const> pointers, WeightSource* weights) {
  if (candidate.kernel->prepare == nullptr) return {};
  using Prepared = Result<Candidate::State>;
  const Prepared& prepared = candidate.prepared.get([&]() -> Prepared {
    const WeightHeap::Scope packing;
    const auto make = [&] { return make_state(candidate, node, facts, pointers, weights); };
    const std::string key = state_key(*candidate.kernel, node, pointers, weights);
    if (key.empty()) return make();
    SDX_ASSIGN(auto shared, WeightStore::shared().get(key, [&]() -> Result<WeightStore::Object> {
      SDX_ASSIGN(auto state, make());
      return WeightStore::Object(std::move(state));
    }));
    return std::static_pointer_cast<const KernelState>(std::move(shared));
  });
  if (!prepared.ok()) return Status(prepared.status());
  return {};
}

namespace {

// The weight in another memory than the CPU's, copied there once.
Result<const Value*> moved_value(const Constant& constant, WeightSource* weights) {
  using Copied = Result<std::shared_ptr<const Value>>;
  const Copied& copied = constant.copy.get([&]() -> Copied {
    Tensor weight = constant.value.tensor();
    if (weights != nullptr) {
      SDX_ASSIGN(weight, weights->content(weight));
    }
    SDX_ASSIGN(Tensor made, Tensor::allocate(weight.dtype(), weight.shape(), &constant.memory->allocator()));
    SDX_TRY(constant.memory->write(weight.raw(), made.raw(), weight.byte_size()));
    if (weights != nullptr) weights->release(constant.value.tensor());
    return std::make_shared<const Value>(std::move(made));
  });
  if (!copied.ok()) return Status(copied.status());
  return copied.value().get();
}

}  // namespace

Result<const Value*> kernel_value(const Constant& constant, WeightSource* weights) {
  if (constant.memory != nullptr) return moved_value(constant, weights);
  if (!constant.value.is_tensor() || constant.value.tensor().dtype() == DType::string) return &constant.value;
  const bool copies = weights != nullptr && weights->copies(constant.value.tensor(), WeightSource::Reading::whole);
  if (is_aligned(constant.value.tensor()) && !copies) return &constant.value;
  using Copied = Result<std::shared_ptr<const Value>>;
  const Copied& copied = constant.copy.get([&]() -> Copied {
    const WeightHeap::Scope packing;
    const Tensor& weight = constant.value.tensor();
    const auto copy = [&]() -> Result<WeightStore::Object> {
      Tensor made = weight;
      if (weights != nullptr) {
        SDX_ASSIGN(made, weights->content(weight));
      }
      if (made.raw() == weight.raw()) {
        SDX_ASSIGN(made, copy_weight(weight, weights));
      }
      return WeightStore::Object(std::make_shared<const Value>(std::move(made)));
    };
    const std::string content = weights != nullptr ? weights->identity(weight) : std::string();
    SDX_ASSIGN(auto made, content.empty() ? copy() : WeightStore::shared().get("copy " + content, copy));
    if (weights != nullptr) weights->release(weight);
    return std::static_pointer_cast<const Value>(std::move(made));
  });
  if (!copied.ok()) return Status(copied.status());
  return copied.value().get();
}

bool reads_rows(const Kernel* kernel, size_t input) {
  return kernel != nullptr && kernel->read_bytes != nullptr && input == 0;
}

namespace {

bool serves_in_place(const Constant& constant, const Kernel* kernel, size_t input, const WeightSource* weights) {
  return reads_rows(kernel, input) && constant.memory == nullptr && constant.value.is_tensor() && weights != nullptr &&
         !weights->copies(constant.value.tensor(), WeightSource::Reading::rows);
}

}  // namespace

Result<const Value*> input_value(const Constant& constant, const Kernel* kernel, size_t input, WeightSource* weights) {
  if (serves_in_place(constant, kernel, input, weights)) return &constant.value;
  return kernel_value(constant, weights);
}

void give_tables_back(const Program& program) {
  for (const Step& step : program.steps) {
    if (step.inputs.empty() || step.inputs[0] == kNoSlot || step.chosen == nullptr) continue;
    const Constant* constant = program.constant(step.inputs[0]);
    if (constant != nullptr && serves_in_place(*constant, step.chosen->kernel, 0, program.weights))
      program.weights->release(constant->value.tensor());
  }
}

Status prepare_step(const Program& program, const Step& step) {
  const Kernel* kernel = step.chosen != nullptr ? step.chosen->kernel : nullptr;
  if (kernel == nullptr || kernel->prepare == nullptr) return {};
  const Node& node = program.graph->node(step.node);
  std::vector<Fact> facts(node.inputs.size());
  std::vector<const Fact*> pointers(node.inputs.size(), nullptr);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue) continue;
    facts[i] = program.graph->fact(node.inputs[i]);
    pointers[i] = &facts[i];
  }
  return prepare_once(*step.chosen, node, facts, pointers, program.weights);
}

namespace {

// Bytes of constants that the step has yet to make something of.
size_t bytes_to_prepare(const Program& program, const Step& step) {
  if (step.mode == StepMode::dynamic) return 0;
  const Kernel* kernel = step.chosen != nullptr ? step.chosen->kernel : nullptr;
  const bool prepares = kernel != nullptr && kernel->prepare != nullptr && step.chosen->prepared.get() == nullptr;
  size_t bytes = 0;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const Constant* constant = step.inputs[i] == kNoSlot ? nullptr : program.constant(step.inputs[i]);
    if (constant == nullptr || !constant->value.is_tensor()) continue;
    const bool copies =
        !packs(kernel, i) && constant->copy.get() == nullptr && !serves_in_place(*constant, kernel, i, program.weights);
    if (prepares || copies) bytes += constant->value.tensor().byte_size();
  }
  return bytes;
}

}  // namespace

void prepare_together(const Program& program, const Stage& stage, ThreadPool* pool) {
  constexpr size_t kWorthThreads = 512 << 10;  // bytes
  struct Work {
    const Step* step;
    size_t bytes;
  };
  std::vector<Work> work;
  size_t total = 0;
  for (size_t index = stage.first_step; index < stage.end_step; ++index) {
    const Step& step = program.steps[index];
    const size_t bytes = bytes_to_prepare(program, step);
    if (bytes > 0) work.push_back({&step, bytes});
    total += bytes;
  }
  if (total < kWorthThreads) return;
  std::ranges::stable_sort(work, [](const Work& a, const Work& b) { return a.bytes > b.bytes; });  // the longest first
  const auto prepare_one = [&](int64_t i) {
    const Step& step = *work[static_cast<size_t>(i)].step;
    const Kernel* kernel = step.chosen != nullptr ? step.chosen->kernel : nullptr;
    if (!prepare_step(program, step).ok()) return;
    for (size_t input = 0; input < step.inputs.size(); ++input) {
      const Constant* constant = step.inputs[input] == kNoSlot ? nullptr : program.constant(step.inputs[input]);
      if (constant != nullptr && !packs(kernel, input))
        static_cast<void>(input_value(*constant, kernel, input, program.weights).ok());
    }
  };
  const WeightHeap::Scope packing(total);
  const KeptFiles open_meanwhile;
  const auto count = static_cast<int64_t>(work.size());
  if (pool != nullptr && pool->size() > 1) {
    pool->parallel_for(count, prepare_one);
  } else {
    for (int64_t i = 0; i < count; ++i) prepare_one(i);
  }
}

}  // namespace sdx::plan
