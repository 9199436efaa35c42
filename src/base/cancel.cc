#include "base/cancel.h"

#include <ctime>

namespace sdx {
namespace {

// The steady clock's time of the last tick, some milliseconds ago at most: a fifth of the price.
CancelToken::Clock::time_point coarse_now() {
#ifdef CLOCK_MONOTONIC_COARSE
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return CancelToken::Clock::time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
#else
  return CancelToken::Clock::now();
#endif
}

}  // namespace

Status CancelToken::check_slowly() {
  uint32_t bits = bits_.load(std::memory_order_acquire);
  const auto latch = [&](uint32_t reason) {
    bits_.fetch_or(reason, std::memory_order_relaxed);
    bits |= reason;
  };
  constexpr uint32_t kStopped = kRequested | kExpired | kPolledOut;
  if ((bits & kStopped) == 0) {
    if ((bits & kFlag) != 0 && flag_->load(std::memory_order_relaxed)) {
      latch(kRequested);
    } else if ((bits & (kDeadline | kPoll)) != 0) {
      const auto now = (bits & kDeadline) != 0 ? Clock::now() : coarse_now();
      if ((bits & kDeadline) != 0 && now >= deadline_) latch(kExpired);
      if ((bits & kPoll) != 0 && std::this_thread::get_id() == poll_thread_ && now >= next_poll_) {
        const bool is_first = next_poll_ == Clock::time_point{};  // short runs are never polled
        next_poll_ = now + kPollInterval;
        if (!is_first && !poll_(poll_param_)) latch(kPolledOut);
      }
    }
  }
  if ((bits & kExpired) != 0) return make_error(Code::fail, "the run passed its deadline");
  if ((bits & kPolledOut) != 0) return make_error(Code::fail, "the run was stopped by the caller's poll callback");
  if ((bits & kRequested) != 0) return make_error(Code::fail, "the run was terminated: its terminate flag is set");
  return {};
}

}  // namespace sdx
