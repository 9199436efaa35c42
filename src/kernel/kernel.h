// The kernel interface. A kernel says whether it takes a node, prepares once a session (packs constant inputs), and
// runs. `prepare` does all that can fail from types, attributes and constants; `run` fails only on what shapes and data
// decide.
#pragma once

#include <memory>
#include <span>

#include "base/cancel.h"
#include "base/thread_pool.h"
#include "base/value.h"
#include "kernel/node_facts.h"
#include "kernel/verdict.h"

namespace sdx {

// What a kernel keeps between `prepare` and `run`: packed weights, resolved attributes.
struct KernelState {
  virtual ~KernelState() = default;
};

// Runs a subgraph of the node (If, Loop, Scan): inputs as the subgraph declares them, captures are supplied by the
// executor.
class SubgraphRunner {
 public:
  virtual ~SubgraphRunner() = default;
  virtual Result<std::vector<Value>> run(std::string_view attribute, std::span<const Value> inputs) = 0;
};

// What is the same for all nodes of a run.
struct RunEnvironment {
  ThreadPool* pool = nullptr;      // null: run on the caller's thread alone
  CancelToken* cancel = nullptr;   // null: cannot be stopped
  Allocator* allocator = nullptr;  // null: allocate_bytes
  MemoryInfo device = {};          // where the kernel runs
  void* stream = nullptr;          // of that device; null on the CPU
  uint64_t random_seed = 0;        // for random operators without a seed attribute; another one each run
};

// What the executor knows about an output before the kernel runs.
struct OutputSpec {
  DType dtype = DType::undefined;
  bool shape_known = false;
  Shape shape;
};

class KernelContext {
 public:
  KernelContext(const Node& node, std::span<const Value* const> inputs, std::span<const OutputSpec> specs,
                std::span<Value> outputs, const RunEnvironment& environment)
      : node_(node), inputs_(inputs), specs_(specs), outputs_(outputs), environment_(environment) {}

  const Node& node() const { return node_; }
  const Attributes& attributes() const { return node_.attributes; }
  int64_t attr_int(std::string_view name, int64_t otherwise) const { return attributes().get_int(name, otherwise); }
  float attr_float(std::string_view name, float otherwise) const { return attributes().get_float(name, otherwise); }
  std::string_view attr_string(std::string_view name, std::string_view otherwise) const {
    return attributes().get_string(name, otherwise);
  }
  std::span<const int64_t> attr_ints(std::string_view name) const { return attributes().get_ints(name); }

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr && inputs_[i]->defined(); }
  const Value& input_value(size_t i) const;
  const Tensor& input(size_t i) const { return input_value(i).tensor(); }

  size_t output_count() const { return outputs_.size(); }
  bool wants_output(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != kNoValue; }
  bool output_shape_known(size_t i) const { return specs_[i].shape_known; }
  const Shape& output_shape(size_t i) const;  // where the shape rule knew it
  DType output_dtype(size_t i) const { return specs_[i].dtype; }
  // The output's tensor, allocated by the executor with the inferred type and shape. Not for strings, views, unknown
  // shapes.
  Tensor& output(size_t i) { return outputs_[i].tensor(); }
  // For shapes that the data decide.
  Result<Tensor*> allocate_output(size_t i, std::span<const int64_t> shape);
  void set_output(size_t i, Value value) { outputs_[i] = std::move(value); }

  const RunEnvironment& environment() const { return environment_; }
  Status check_cancelled() const { return environment_.cancel ? environment_.cancel->check() : Status(); }

  template <typename State>
  const State& state() const {
    return static_cast<const State&>(*state_);
  }
  bool has_state() const { return state_ != nullptr; }
  // Uninitialised, aligned to kTensorAlignment, of the size that the kernel's scratch_bytes gave.
  std::span<std::byte> scratch() const { return scratch_; }
  SubgraphRunner& subgraphs() const;

  void set_state(const KernelState* state) { state_ = state; }
  void set_scratch(std::span<std::byte> scratch) { scratch_ = scratch; }
  void set_subgraphs(SubgraphRunner* runner) { subgraphs_ = runner; }

 private:
  const Node& node_;
  std::span<const Value* const> inputs_;
  std::span<const OutputSpec> specs_;
  std::span<Value> outputs_;
  const RunEnvironment& environment_;
  const KernelState* state_ = nullptr;
  std::span<std::byte> scratch_;
  SubgraphRunner* subgraphs_ = nullptr;
};

// What the size of scratch memory may depend on: symbolic dimensions give a symbolic size.
struct ScratchFacts {
  const NodeFacts& node;
  std::span<const Fact* const> outputs;  // null where an output is omitted
  SymbolTable& symbols;
  int threads = 1;  // that may work on the node at once
};

// A cache that grows in place: the output may be the input's own memory when the caller gives both the same.
struct SharedCache {
  int8_t input = -1, output = -1;
};

// One implementation of an operator on a device. An operator's kernels are tried in order, the fastest first.
struct Kernel {
  std::string_view name;                 // "clip_f32", in profiles and explanations
  Verdict (*can_run)(const NodeFacts&);  // from types, attributes, known shapes
  Result<std::unique_ptr<KernelState>> (*prepare)(const NodeFacts&) = nullptr;  // optional
  Status (*run)(KernelContext&) = nullptr;
  uint32_t packs_inputs = 0;  // bit i: where input i is constant, `prepare` has taken all that `run` needs of it
  Dim (*scratch_bytes)(const ScratchFacts&) = nullptr;  // optional: see KernelContext::scratch
  int64_t (*packed_bytes)(const NodeFacts&) = nullptr;  // optional: of the prepared state, constants as they are
  // Optional: what a run reads of input 0 at most, in bytes of whole pages, where that may be a part of it only.
  Dim (*read_bytes)(const ScratchFacts&) = nullptr;
  SharedCache shared_caches[2] = {};
};

// Calls work(begin, end) over [0, total) in blocks of `grain`: cut by `total` and `grain` alone, never by the number of
// threads, and checks for cancellation between blocks.
template <typename Work>
Status parallel_ranges(KernelContext& ctx, int64_t total, int64_t grain, Work work) {
  if (total <= 0) return {};
  const int64_t blocks = (total + grain - 1) / grain;
  const auto range = [&](int64_t block) {
    const int64_t begin = block * grain;
    const int64_t end = begin + grain < total ? begin + grain : total;
    work(begin, end);
  };
  ThreadPool* pool = ctx.environment().pool;
  if (blocks == 1 || pool == nullptr || pool->size() == 1) {
    for (int64_t block = 0; block < blocks; ++block) {
      SDX_TRY(ctx.check_cancelled());
      range(block);
    }
    return {};
  }
  pool->parallel_for(blocks, [&](int64_t block) {
    if (ctx.environment().cancel == nullptr || ctx.environment().cancel->check().ok()) range(block);
  });
  return ctx.check_cancelled();
}

}  // namespace sdx
