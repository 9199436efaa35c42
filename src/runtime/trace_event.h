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
  // Whether the list goes on at `at` with what `add` would add there; moves `at` behind it.
  bool continues(size_t& at, const Value& value, bool constant) const;
  size_t size() const { return words_.size(); }

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

// Bytes of the plan's arenas that are in use.
struct ArenaUse {
  size_t in_use = 0;     // bytes of the blocks that are in use
  size_t requested = 0;  // the same without what alignment costs
  friend bool operator==(const ArenaUse&, const ArenaUse&) = default;
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
  ArenaUse before, during;            // of its graph
  std::optional<int64_t> operations;  // see count_operations
};

// What the running graphs have of their arenas.
struct ArenaShare {
  size_t held = 0;
  ArenaUse use;
  friend bool operator==(const ArenaShare&, const ArenaShare&) = default;
};

// Bytes of the session around a step. Most steps have the same as the one before.
struct TracedMemory {
  size_t used_before = 0, used_after = 0;  // of the system, arenas included
  size_t held = 0;                         // of that, by arenas
  ArenaUse outer;                          // of the graphs that the step's own runs in
  friend bool operator==(const TracedMemory&, const TracedMemory&) = default;
};

enum class SessionEvent : uint32_t { load_from_path, load_from_bytes, initialize, run, execute };
const char* name(SessionEvent event);  // onnxruntime's

// Small: a profile has a million, and memory that nobody has touched yet is what costs most.
struct TraceEvent {
  const StepRecord* step = nullptr;  // kept by the profiler; null: an event of the session
  int64_t start = 0, end = 0;        // ticks of the TraceClock
  int32_t thread = 0;
  uint32_t detail = 0;  // of a step: which of its block's memories; else a SessionEvent
};

// Events that one run at a time adds to.
struct TraceBlock {
  static constexpr size_t kEvents = 2048;
  std::vector<TraceEvent> events;
  std::vector<TracedMemory> memories;
  size_t counted = 0;  // events that the profiler knows of
};

}  // namespace sdx::runtime
