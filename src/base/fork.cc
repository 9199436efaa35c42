#include "base/fork.h"

#include <pthread.h>

#include "base/futex.h"

namespace sdx {
namespace {

constinit std::atomic<uint32_t> g_generation{1};

}  // namespace

// All of them, in a list that a fork walks. Never destroyed: locks may live until the process ends.
struct ForkMutexes {
  std::mutex list_mutex;
  ForkMutex* first = nullptr;

  static ForkMutexes& all() {
    static ForkMutexes& mutexes = *new ForkMutexes;
    return mutexes;
  }

  void add(ForkMutex& mutex) {
    const std::lock_guard lock(list_mutex);
    mutex.after_ = first;
    if (first != nullptr) first->before_ = &mutex;
    first = &mutex;
  }

  void remove(ForkMutex& mutex) {
    const std::lock_guard lock(list_mutex);
    (mutex.before_ != nullptr ? mutex.before_->after_ : first) = mutex.after_;
    if (mutex.after_ != nullptr) mutex.after_->before_ = mutex.before_;
  }

  static void lock_all() {
    all().list_mutex.lock();
    for (ForkMutex* mutex = all().first; mutex != nullptr; mutex = mutex->after_) mutex->lock();
  }

  static void enter_child() {
    g_generation.fetch_add(1, std::memory_order_relaxed);
    unlock_all();
  }

  static void unlock_all() {
    for (ForkMutex* mutex = all().first; mutex != nullptr; mutex = mutex->after_) mutex->unlock();
    all().list_mutex.unlock();
  }
};

namespace {

// From the first that asks on: whoever never asks has no lock, and no generation to compare.
void watch_forks() {
  [[maybe_unused]] static const int watched =
      pthread_atfork(&ForkMutexes::lock_all, &ForkMutexes::unlock_all, &ForkMutexes::enter_child);
}

}  // namespace

uint32_t process_generation() {
  watch_forks();
  return g_generation.load(std::memory_order_relaxed);
}

ForkMutex::ForkMutex() {
  watch_forks();
  ForkMutexes::all().add(*this);
}
ForkMutex::~ForkMutex() { ForkMutexes::all().remove(*this); }

void TakeoverMutex::lock() {
  const uint32_t mine = process_generation() << 1;
  uint32_t seen = 0;
  uint32_t wanted = mine;
  while (true) {
    if (word_.compare_exchange_weak(seen, wanted, std::memory_order_acquire, std::memory_order_relaxed)) return;
    if (seen == 0 || (seen & ~1u) != mine) continue;  // free, or held by a thread of the parent's
    // Whoever has waited cannot know whether others still do, so it holds the lock with the mark.
    wanted = mine | 1u;
    if (seen == wanted || word_.compare_exchange_strong(seen, wanted, std::memory_order_relaxed))
      futex_wait(word_, wanted);
    seen = 0;
  }
}

void TakeoverMutex::unlock() {
  if ((word_.exchange(0, std::memory_order_release) & 1u) != 0) futex_wake(word_, 1);
}

}  // namespace sdx
