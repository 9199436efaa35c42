// Session: a loaded model, ready to run. Any number of threads may run it at once.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <string>

#include "base/log.h"
#include "onnx/importer.h"
#include "runtime/buffer_pool.h"
#include "runtime/executor.h"

namespace sdx::runtime {

struct SessionOptions {
  int threads = 0;                   // 0: the cores that are allowed
  std::shared_ptr<ThreadPool> pool;  // given: used instead of the process's pool of `threads`
  bool strict_shapes = false;        // session.strict_shape_type_inference
  std::map<std::string, int64_t> symbol_values;
  std::optional<uint64_t>
      random_seed;           // of random operators without one: given, a session repeats its sequence of runs
  Logger* logger = nullptr;  // outlives the session; null: default_logger()
};

struct RunOptions {
  CancelToken* cancel = nullptr;
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
  const Graph& graph() const { return imported_.graph; }
  const std::map<std::string, int64_t>& opsets() const { return imported_.opsets; }
  const std::vector<std::string>& warnings() const { return imported_.warnings; }
  const std::vector<InputOutput>& inputs() const { return inputs_; }  // those a caller must give
  const std::vector<InputOutput>& overridable() const {
    return overridable_;
  }  // initializers that a caller may replace
  const std::vector<InputOutput>& outputs() const { return outputs_; }
  const SymbolTable& symbols() const { return imported_.graph.symbols(); }
  Logger& logger() const { return *options_.logger; }

  // Values in the order of `names`; no names: all outputs. Outputs own their memory, but for those of `given`: tensors
  // of the caller's, in the order of `names`, each of which is the result where it has the output's type and shape.
  // A value of none is not given.
  Result<std::vector<Value>> run(std::span<const Feed> feeds, std::span<const std::string_view> names,
                                 std::span<const Value> given = {}, const RunOptions& options = {});

 private:
  Session() = default;
  Status read_feeds(ExecutionState& state, std::span<const Feed> feeds) const;
  Status check_feeds(std::span<const Feed> feeds) const;
  Status check_feed(const InputOutput& input, const Value& value) const;
  Result<std::vector<size_t>> find_outputs(std::span<const std::string_view> names) const;
  Status report_broken(const std::string& broken);
  std::unique_ptr<ExecutionState> take_state();
  void give_back(std::unique_ptr<ExecutionState> state);

  std::shared_ptr<onnx::Model> model_;
  SessionOptions options_;
  onnx::Imported imported_;
  std::unique_ptr<plan::Program> program_;
  std::vector<InputOutput> inputs_, overridable_, outputs_;
  std::map<std::string, size_t, std::less<>> input_index_, output_index_;
  std::shared_ptr<ThreadPool> pool_;
  BufferPool buffers_;
  static constexpr size_t kMaxIdleStates = 64;
  std::array<std::atomic<ExecutionState*>, kMaxIdleStates> idle_states_ = {};
  std::atomic<uint64_t> next_seed_ = 0;
  std::atomic<bool> warned_about_symbols_ = false;
};

}  // namespace sdx::runtime
