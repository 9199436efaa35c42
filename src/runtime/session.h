// Session: a loaded model, ready to run. Any number of threads may run it at once.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <string>

#include "base/fork.h"
#include "base/log.h"
#include "runtime/buffer_pool.h"
#include "runtime/compiled.h"
#include "runtime/executor.h"

namespace sdx::runtime {

struct SessionOptions {
  int threads = 0;                   // 0: the cores that are allowed
  std::shared_ptr<ThreadPool> pool;  // given: used instead of the process's pool of `threads`
  bool strict_shapes = false;        // session.strict_shape_type_inference
  passes::PipelineOptions passes;    // what is done to the graph before it runs
  bool references_only = false;
  bool in_double = false;           // floats have 64 bits, outputs too
  ProviderOwners providers;         // in order of priority, before the CPU
  bool winograd = true;             // see CompileOptions
  bool partitions_by_cost = false;  // groups whose copies cost more than they save stay where they were
  WeightMemory weights = WeightMemory::automatic;
  size_t memory_limit = SIZE_MAX;  // bytes that runs of the session may hold together, weights included
  std::map<std::string, int64_t> symbol_values;
  std::function<DType(const Node&, size_t, std::span<const Fact* const>)> type_of_output;  // see onnx::ImportOptions
  onnx::OpaqueInference infer_opaque;                                                      // the same
  std::optional<uint64_t>
      random_seed;                     // of random operators without one: given, a session repeats its sequence of runs
  Logger* logger = nullptr;            // outlives the session; null: default_logger()
  std::shared_ptr<Profiler> profiler;  // of the session and all its runs
};

struct RunOptions {
  CancelToken* cancel = nullptr;
  Profiler* profiler = nullptr;  // of this run; not used while the session's records
};

struct InputOutput {
  std::string name;
  Fact fact;
};

struct Feed {
  std::string_view name;
  Value value;  // its memory is read during the run only
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> create(std::shared_ptr<onnx::Model> model, const SessionOptions& options);
  ~Session();

  const onnx::Model& model() const { return *model_; }
  // What runs that begin now run.
  std::shared_ptr<const Compiled> compiled() const;
  const std::vector<InputOutput>& inputs() const { return inputs_; }  // those a caller must give
  const std::vector<InputOutput>& overridable() const {
    return overridable_;
  }  // initializers that a caller may replace
  const std::vector<InputOutput>& outputs() const { return outputs_; }
  Logger& logger() const { return *options_.logger; }
  Profiler* profiler() const { return options_.profiler.get(); }  // null: none

  // The graph for export: without what only this engine can run, which passes of the layout level make.
  Result<onnx::Imported> exported() const;

  // Runs that begin after it returns use these weights, all of them, instead of the initializers of those names; runs
  // that began before finish on the old ones. Types and shapes are the initializers' own. The bytes are copied.
  Status replace_weights(const std::map<std::string, Tensor>& weights);

  // Values in the order of `names`; no names: all outputs. Outputs own their memory, but for those of `given`: tensors
  // of the caller's, in the order of `names`, each of which is the result where it has the output's type and shape.
  // A value of none is not given.
  Result<std::vector<Value>> run(std::span<const Feed> feeds, std::span<const std::string_view> names,
                                 std::span<const Value> given = {}, const RunOptions& options = {});

 private:
  struct RunState {
    std::shared_ptr<const Compiled> compiled;
    ExecutionState execution;
    std::vector<Value> targets = {}, results = {};  // kept for their capacity
  };
  using Indices = SmallVector<size_t, 8>;
  Session() = default;
  Status read_feeds(RunState& state, std::span<const Feed> feeds) const;
  Status check_feeds(const Graph& graph, std::span<const Feed> feeds) const;
  Status check_feed(const InputOutput& input, const Value& value) const;
  Profiler* recording_profiler(const RunOptions& options) const;
  Result<Indices> find_outputs(std::span<const std::string_view> names) const;
  Status report_broken(const std::string& broken);
  void warn_of_declared_outputs(const Compiled& compiled, const Binding& binding, std::span<const Value> results);
  static Result<std::vector<Value>> take_results(std::span<Value> results, std::span<const size_t> wanted);
  std::unique_ptr<RunState> take_state();
  void give_back(std::unique_ptr<RunState> state);
  CompileOptions compile_options() const;
  void set_compiled(std::shared_ptr<const Compiled> compiled);

  std::shared_ptr<onnx::Model> model_;
  SessionOptions options_;
  mutable ForkMutex compiled_mutex_;
  std::shared_ptr<const Compiled> compiled_;
  std::atomic<const Compiled*> current_ = nullptr;  // compiled_, for a look without a lock
  TakeoverMutex replace_mutex_;
  std::map<std::string, Tensor> replaced_;
  std::vector<InputOutput> inputs_, overridable_, outputs_;
  bool takes_containers_ = false;  // an input is not a tensor
  std::map<std::string, size_t, std::less<>> input_index_, output_index_;
  std::shared_ptr<ThreadPool> pool_;
  std::shared_ptr<MemoryAccount> account_;
  std::optional<BufferPool> buffers_;
  static constexpr size_t kMaxIdleStates = 64;
  std::array<std::atomic<RunState*>, kMaxIdleStates> idle_states_ = {};
  std::atomic<uint64_t> next_seed_ = 0;
  std::atomic<bool> warned_about_symbols_ = false;
  std::atomic<bool> warned_about_outputs_ = false;
};

}  // namespace sdx::runtime
