// Arena: memory of one run's planned values. ArenaPool lends them to the runs of all sessions, without a lock, and
// gives memory back to the system when runs need less of it for a while.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "base/status.h"
#include "base/thread_pool.h"

namespace sdx::runtime {

class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::byte* base() const { return base_; }
  // At least `bytes`, uninitialised, aligned to a page. The base may change. RUNTIME_EXCEPTION when out of memory.
  // Its pages come by the pool's threads (null: the caller's alone).
  Status reserve(size_t bytes, ThreadPool* pool = nullptr);
  // The run is over and used `bytes`: what the last kRunsToShrink runs did not need goes back.
  void finish(size_t bytes);
  void release();  // everything goes back

  uint64_t last_use = 0;  // the pool's count of takes

 private:
  static constexpr int kRunsToShrink = 8;

  std::byte* base_ = nullptr;
  size_t capacity_ = 0;
  size_t touched_ = 0;  // bytes that may be resident
  size_t recent_ = 0;   // the most that a run of the last few used
  int runs_ = 0;
};

class ArenaPool {
 public:
  static ArenaPool& shared();  // the process's
  ~ArenaPool();

  // `preferred`, when it is idle; else any idle one; else a new one.
  std::unique_ptr<Arena> take(const Arena* preferred);
  void give_back(std::unique_ptr<Arena> arena);

 private:
  static constexpr size_t kSlots = 64;
  static constexpr uint64_t kTakesToForget = 64;  // an arena that this many takes passed by is released

  std::array<std::atomic<Arena*>, kSlots> idle_ = {};
  std::atomic<uint64_t> takes_ = 0;
};

}  // namespace sdx::runtime
