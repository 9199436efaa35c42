#include "runtime/run_trace.h"

#include <new>
#include <utility>

namespace sdx::runtime {

RunTrace::RunTrace(Profiler& profiler, size_t expected_events)
    : profiler_(profiler), thread_(Profiler::thread_id()), expected_(expected_events) {}

TraceEvent* RunTrace::add() noexcept {
  try {
    if (block_.events.size() == block_.events.capacity()) {
      profiler_.give_back(thread_, std::exchange(block_, {}));
      block_ = profiler_.borrow(thread_, expected_);
      pause();
    }
    return &block_.events.emplace_back();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void RunTrace::add_session_event(SessionEvent event, int64_t start) noexcept {
  const int64_t end = TraceClock::now();
  if (TraceEvent* added = add()) *added = {nullptr, start, end, thread_, static_cast<uint32_t>(event)};
  pause();
}

void RunTrace::add_step(const StepRecord* record, int64_t start, int64_t end, const TracedMemory& memory) noexcept {
  last_end_ = end;
  TraceEvent* added = add();
  if (added == nullptr) return;
  std::vector<TracedMemory>& known = block_.memories;
  if (known.empty() || !(known.back() == memory)) {
    try {
      known.push_back(memory);
    } catch (const std::bad_alloc&) {
      return block_.events.pop_back();
    }
  }
  *added = {record, start, end, thread_, static_cast<uint32_t>(known.size() - 1)};
}

}  // namespace sdx::runtime
