#include "runtime/run_trace.h"

#include <algorithm>

#include <new>
#include <utility>

namespace sdx::runtime {
namespace {

int64_t difference(size_t after, size_t before) { return static_cast<int64_t>(after) - static_cast<int64_t>(before); }

}  // namespace

RunTrace::RunTrace(Profiler& profiler, size_t expected_events)
    : profiler_(profiler), thread_(Profiler::thread_id()), expected_(std::min(expected_events, kMostAtOnce)) {}

void RunTrace::flush() noexcept {
  profiler_.add(std::move(events_));
  events_ = {};
}

// The events go to the profiler in the memory that they were first written to.
void RunTrace::add(const TraceEvent& event) noexcept {
  try {
    if (events_.size() == events_.capacity()) {
      flush();
      events_.reserve(std::exchange(expected_, kMostAtOnce));
    }
    events_.push_back(event);
    events_.back().thread = thread_;
  } catch (const std::bad_alloc&) {  // the event is lost
  }
}

void RunTrace::add_session_event(const char* name, int64_t start_ns) noexcept {
  add({.name = name, .start_ns = start_ns, .end_ns = Profiler::now_ns()});
}

void RunTrace::add_step(const StepRecord* record, int64_t start_ns, int64_t end_ns, const Memory& before,
                        const Memory& after) noexcept {
  peak_ = std::max(peak_, after.in_use);
  add({.step = record,
       .start_ns = start_ns,
       .end_ns = end_ns,
       .memory = {.in_use = after.in_use,
                  .requested = after.requested,
                  .held = after.held,
                  .peak = peak_,
                  .arena = total_.use.in_use,
                  .in_use_delta = difference(after.in_use, before.in_use),
                  .requested_delta = difference(after.requested, before.requested),
                  .held_delta = difference(after.held, before.held)}});
}

void RunTrace::change(Share& share, const Share& now) {
  total_.held += now.held - share.held;
  total_.use.in_use += now.use.in_use - share.use.in_use;
  total_.use.requested += now.use.requested - share.use.requested;
  share = now;
}

RunTrace::Memory RunTrace::memory(size_t used) const {
  const size_t other = used > total_.held ? used - total_.held : 0;
  return {other + total_.use.in_use, other + total_.use.requested, used};
}

}  // namespace sdx::runtime
