// TraceEvent: something that took time in a session or a run, as profiles keep it until they are written.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace sdx::runtime {

// Types, shapes and sizes of tensors. Values that are no tensors are left out.
class TensorList {
 public:
  struct Entry {
    DType dtype;
    bool constant;
    size_t bytes;
    std::span<const int64_t> dims;
  };

  void add(DType dtype, std::span<const int64_t> dims, size_t bytes, bool constant);
  void add(const Value& value, bool constant);
  void clear() { words_.clear(); }

  // Calls f(Entry) for each.
  template <typename F>
  void for_each(F f) const {
    for (size_t i = 0; i < words_.size(); i += 3 + static_cast<size_t>(words_[i + 2]))
      f(Entry{static_cast<DType>(words_[i] >> 1), (words_[i] & 1) != 0, static_cast<size_t>(words_[i + 1]),
              std::span<const int64_t>(words_).subspan(i + 3, static_cast<size_t>(words_[i + 2]))});
  }
  friend bool operator==(const TensorList&, const TensorList&) = default;

 private:
  SmallVector<int64_t, 24> words_;  // of each: type and whether it is constant, bytes, rank, dimensions
};

// What all events of a step say. Outlives the plan.
struct StepFacts {
  std::string name;  // the first of the origins
  std::string op, provider;
  size_t node_index = 0;
  std::vector<std::string> origins;
};

// A step on values of certain shapes, which its events share.
struct StepRecord {
  std::shared_ptr<const StepFacts> facts;
  std::string_view kernel;  // empty: the reference
  TensorList inputs, outputs;
  std::optional<int64_t> operations;  // see count_operations
};

// Bytes of the session while a step runs, and how much the step changed them.
struct TracedMemory {
  size_t in_use = 0;     // by values and scratch memory
  size_t requested = 0;  // the same without what alignment costs
  size_t held = 0;       // of the system
  size_t peak = 0;       // of in_use, in this run so far
  size_t arena = 0;      // the part of in_use that the plan placed
  int64_t in_use_delta = 0, requested_delta = 0, held_delta = 0;
};

struct TraceEvent {
  const StepRecord* step = nullptr;  // kept by the profiler; null: an event of the session, called `name`
  const char* name = nullptr;
  int64_t start_ns = 0, end_ns = 0;  // of the steady clock
  int32_t thread = 0;
  TracedMemory memory = {};
};

// The events of the session have onnxruntime's names.
inline constexpr const char* kLoadFromPath = "model_loading_uri";
inline constexpr const char* kLoadFromBytes = "model_loading_array";
inline constexpr const char* kInitialize = "session_initialization";
inline constexpr const char* kRun = "model_run";
inline constexpr const char* kExecute = "SequentialExecutor::Execute";

}  // namespace sdx::runtime
