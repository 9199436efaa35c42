// Locks that hold in the child of a fork, where of all threads only the forking one goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/function_ref.h"

namespace sdx {

// 1 in the first process, one more in each generation of children.
uint32_t process_generation();

// For data that is inconsistent while somebody changes it: a fork waits until nobody holds the lock, so the child never
// finds it held. Held for short, and only as the innermost lock: whoever holds one takes no other lock of the engine's.
class ForkMutex {
 public:
  ForkMutex();
  ~ForkMutex();
  ForkMutex(const ForkMutex&) = delete;
  ForkMutex& operator=(const ForkMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  friend struct ForkMutexes;
  std::mutex mutex_;
  ForkMutex* before_ = nullptr;  // in the list of all
  ForkMutex* after_ = nullptr;
};

// For long work whose result appears at one stroke: held by a thread that the fork left behind, it is free in the
// child. May be held while other locks are taken.
class TakeoverMutex {
 public:
  void lock();
  void unlock();

 private:
  std::atomic<uint32_t> word_{0};  // 0: free; else the holder's process generation, times two, plus "somebody waits"
};

// A value made by the first who asks; the others wait. Where a fork cuts the making off, the child makes it anew.
template <typename T>
class ForkOnce {
 public:
  ForkOnce() = default;
  ForkOnce(const ForkOnce&) = delete;
  ForkOnce& operator=(const ForkOnce&) = delete;
  ~ForkOnce() { delete content_.load(std::memory_order_relaxed); }

  // Null until it is made.
  const T* get() const { return content_.load(std::memory_order_acquire); }
  const T& get(FunctionRef<T()> make) {
    if (const T* done = get()) return *done;
    const std::lock_guard lock(mutex_);
    if (const T* done = get()) return *done;
    auto made = std::make_unique<const T>(make());
    content_.store(made.get(), std::memory_order_release);
    return *made.release();
  }

 private:
  std::atomic<const T*> content_{nullptr};
  TakeoverMutex mutex_;
};

}  // namespace sdx
