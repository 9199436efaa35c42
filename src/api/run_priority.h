// Which runs give way to which: those of low priority pause while others are under way.
#pragma once

#include <atomic>
#include <chrono>

namespace sdx::api {

// From now on runs are counted; until somebody sets a priority they are not, and cost nothing more.
void use_priorities() noexcept;
bool priorities_used() noexcept;

// On the stack of the thread that runs. Nothing here waits for ever: what runs may wait for this run.
class RunPriority {
 public:
  static constexpr std::chrono::milliseconds kLongestPause{1000};

  explicit RunPriority(int priority) noexcept;  // -1, 0 or 1
  ~RunPriority();
  RunPriority(const RunPriority&) = delete;
  RunPriority& operator=(const RunPriority&) = delete;

  // Whether a run of higher priority is under way.
  bool gives_way() const noexcept;

 private:
  int level_;
  uint32_t counted_in_ = 0;  // the generation of the process whose count it is in; 0: none
};

}  // namespace sdx::api
