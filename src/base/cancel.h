// CancelToken: how a run is stopped from outside: a flag, a deadline, or a poll callback on the caller's thread.
// Long loops call check() and pass its Status up; where nothing was set it is one load.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/status.h"

namespace sdx {

class CancelToken {
 public:
  using Clock = std::chrono::steady_clock;
  using Poll = bool (*)(void* param);  // false: stop
  static constexpr std::chrono::milliseconds kPollInterval{50};

  CancelToken() = default;
  CancelToken(const CancelToken&) = delete;
  CancelToken& operator=(const CancelToken&) = delete;

  // From any thread, at any time.
  void request() { bits_.fetch_or(kRequested, std::memory_order_relaxed); }

  // Before the run.
  void watch(const std::atomic<bool>& flag) {  // someone else's flag: true stops
    flag_ = &flag;
    bits_.fetch_or(kFlag, std::memory_order_release);
  }
  void set_deadline(Clock::time_point deadline) {
    deadline_ = deadline;
    bits_.fetch_or(kDeadline, std::memory_order_release);
  }
  // Called on this thread only, at most every kPollInterval.
  void set_poll(Poll poll, void* param) {
    poll_ = poll;
    poll_param_ = param;
    poll_thread_ = std::this_thread::get_id();
    bits_.fetch_or(kPoll, std::memory_order_release);
  }

  Status check() {
    if (bits_.load(std::memory_order_acquire) == 0) [[likely]]
      return {};
    return check_slowly();
  }
  // The same for loops that cannot pass a Status on; check() then says why.
  bool stopped() { return bits_.load(std::memory_order_acquire) != 0 && !check_slowly().ok(); }

 private:
  static constexpr uint32_t kRequested = 1, kFlag = 2, kDeadline = 4, kPoll = 8, kExpired = 16, kPolledOut = 32;
  Status check_slowly();

  std::atomic<uint32_t> bits_{0};
  const std::atomic<bool>* flag_ = nullptr;
  Clock::time_point deadline_{};
  Poll poll_ = nullptr;
  void* poll_param_ = nullptr;
  std::thread::id poll_thread_;
  Clock::time_point next_poll_{};  // of the polling thread alone
};

}  // namespace sdx
