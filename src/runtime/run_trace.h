// RunTrace: the events of one run, collected on the thread that runs.
#pragma once

#include <span>

#include "runtime/profiler.h"

namespace sdx::runtime {

class RunTrace {
 public:
  RunTrace(Profiler& profiler, size_t expected_events);
  ~RunTrace() { profiler_.give_back(thread_, std::move(block_)); }
  RunTrace(const RunTrace&) = delete;
  RunTrace& operator=(const RunTrace&) = delete;

  Profiler& profiler() const { return profiler_; }
  // When a step starts: the end of the one before, where nothing but the step itself takes time from then on.
  int64_t step_start() const { return last_end_ != 0 ? last_end_ : TraceClock::now(); }
  // What happens before the next step starts is no part of it.
  void pause() { last_end_ = 0; }
  void add_step(const StepRecord* record, int64_t start, int64_t end, const TracedMemory& memory) noexcept;
  void add_session_event(SessionEvent event, int64_t start) noexcept;

  ArenaShare running;  // of the graphs that run: inner ones add theirs

 private:
  TraceEvent* add() noexcept;  // null: the event is lost

  Profiler& profiler_;
  const int32_t thread_;
  int64_t last_end_ = 0;
  size_t expected_;
  TraceBlock block_;
};

}  // namespace sdx::runtime
