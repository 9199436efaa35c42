#include "async_runs.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace sdx::api {
namespace {

// Runs wait for each other inside the engine's pool: more threads than that only take turns, but callbacks may block.
constexpr int kMostThreads = 64;
constexpr std::chrono::seconds kIdleTime{2};

class Runners {
 public:
  pid_t process() const { return process_; }

  void add(std::function<void()> run) {
    const std::unique_lock lock(mutex_);
    waiting_.push_back(std::move(run));
    if (static_cast<int>(waiting_.size()) <= idle_ || threads_ == kMostThreads) {
      wake_.notify_one();
      return;
    }
    try {
      start_thread();
    } catch (const std::system_error&) {
      if (threads_ > 0) return;  // the others will come to it
      waiting_.pop_back();
      throw;
    }
  }

 private:
  void start_thread() {
    // As on the pool's workers, signals go to the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([this] { work(); }).detach();
      ++threads_;
    } catch (...) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      const bool found = wake_.wait_for(lock, kIdleTime, [this] { return !waiting_.empty(); });
      --idle_;
      if (!found) break;
      {
        const std::function<void()> run = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        run();
      }
      lock.lock();
    }
    --threads_;
  }

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  int threads_ = 0, idle_ = 0;
};

// Never destroyed: threads may be in it until the process ends. The child of a fork has none of its parent's threads,
// and begins anew.
Runners& runners() {
  static constinit std::atomic<Runners*> current = nullptr;
  Runners* found = current.load();
  while (found == nullptr || found->process() != getpid()) {
    auto made = std::make_unique<Runners>();
    if (current.compare_exchange_strong(found, made.get())) return *made.release();
  }
  return *found;
}

}  // namespace

void run_later(std::function<void()> run) { runners().add(std::move(run)); }

}  // namespace sdx::api
