// RunTrace: the events of one run, collected on the thread that runs.
#pragma once

#include "runtime/profiler.h"
#include "runtime/step_traces.h"

namespace sdx::runtime {

class RunTrace {
 public:
  // What one of the running graphs has of its arenas.
  struct Share {
    size_t held = 0;
    ArenaUse use;
  };
  struct Memory {  // bytes of the session
    size_t in_use = 0, requested = 0, held = 0;
  };

  RunTrace(Profiler& profiler, size_t expected_events);
  ~RunTrace() { flush(); }
  RunTrace(const RunTrace&) = delete;
  RunTrace& operator=(const RunTrace&) = delete;

  void add_session_event(const char* name, int64_t start_ns) noexcept;
  void add_step(const StepRecord* record, int64_t start_ns, int64_t end_ns, const Memory& before,
                const Memory& after) noexcept;
  Profiler& profiler() const { return profiler_; }

  // A graph's share is another one now.
  void change(Share& share, const Share& now);
  // `used`: what the session's account holds, arenas included.
  Memory memory(size_t used) const;

 private:
  static constexpr size_t kMostAtOnce = 4096;
  void add(const TraceEvent& event) noexcept;
  void flush() noexcept;

  Profiler& profiler_;
  int32_t thread_;
  size_t expected_;
  Share total_;  // of all graphs
  size_t peak_ = 0;
  std::vector<TraceEvent> events_;
};

}  // namespace sdx::runtime
