// Fork-join pool: parallel_for runs blocks on the caller and on whichever workers are free.
// The caller never waits for a worker that has not taken a block, so nested and concurrent regions cannot deadlock.
// Idle pools cost nothing: workers spin only while a run is in flight. Threads start with the first region, and start
// again in the child of a fork.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "base/function_ref.h"

namespace sdx {

// The C API's custom thread hooks: `create` starts a thread that calls worker(param), `join` waits for its end.
struct ThreadHooks {
  using Handle = const void*;
  Handle (*create)(void* options, void (*worker)(void*), void* param) = nullptr;
  void (*join)(Handle handle) = nullptr;
  void* options = nullptr;
  explicit operator bool() const { return create != nullptr && join != nullptr; }
};

struct ThreadPoolOptions {
  int threads = 0;            // the caller included; 0: knob `threads`, else the cores that are allowed
  int64_t spin_ns = 200'000;  // how long a worker looks for work before it sleeps, while a run is in flight
  ThreadHooks hooks;
};

class ThreadPool {
 public:
  // One per process and size, alive as long as somebody holds it.
  static std::shared_ptr<ThreadPool> shared(int threads);
  static int default_size();

  explicit ThreadPool(const ThreadPoolOptions& options);  // one of its own, for hooks
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return size_; }

  // Calls work(0) .. work(blocks - 1), each once, in any order and on any thread, and returns when all are done.
  // Throws what the first failing block threw; blocks not begun by then are skipped.
  void parallel_for(int64_t blocks, FunctionRef<void(int64_t block)> work);

  // Creates the threads now instead of in the first region.
  void start();

  // A run is in flight: workers that find no work spin for a while instead of sleeping at once.
  class ActiveScope {
   public:
    explicit ActiveScope(ThreadPool& pool);
    ~ActiveScope();
    ActiveScope(const ActiveScope&) = delete;
    ActiveScope& operator=(const ActiveScope&) = delete;

   private:
    ThreadPool& pool_;
    uint32_t process_;
  };

 private:
  using Work = FunctionRef<void(int64_t)>;

  // One parallel region. `ticket` holds a generation (40 bits) and the number of blocks nobody has taken (24 bits).
  // Whoever lowers it by one owns a block, and the region cannot end before that block is done; so the other fields,
  // written only between regions, are valid for him. Slots are never freed: a late look at one is harmless.
  struct alignas(64) Slot {
    std::atomic<uint64_t> ticket{0};
    std::atomic<const Work*> work{nullptr};
    std::atomic<uint32_t> total{0};
    std::atomic<uint32_t> done{0};
    std::atomic<uint32_t> caller_sleeps{0};
    std::atomic<bool> failed{false};
    std::exception_ptr error;
  };
  static constexpr int kSlots = 32;
  static constexpr int64_t kMaxBlocks = (1 << 24) - 1;

  void run_region(uint32_t blocks, const Work& work);
  uint32_t take_blocks(int slot_index, uint64_t generation_or_any);
  static void run_block(Slot& slot, const Work& work, int64_t block);
  void finish_blocks(Slot& slot, uint32_t count);
  void wait_for(Slot& slot, uint32_t total, uint32_t process);
  void wake_workers(uint32_t wanted);
  void forget_parent();
  void start_workers();
  void stop_workers();
  static void worker_entry(void* pool);
  void work_until_stopped();
  bool look_for_work(uint32_t first);

  const int size_;
  const int64_t spin_ns_;
  const ThreadHooks hooks_;
  std::atomic<uint32_t> started_in_{0};  // the process (by fork count) whose workers run; 0: none
  std::vector<std::thread> threads_;
  std::vector<ThreadHooks::Handle> custom_threads_;

  alignas(64) std::atomic<uint32_t> open_{0};   // slots that may have blocks to take; what spinning workers watch
  alignas(64) std::atomic<uint32_t> owned_{0};  // slots in use
  std::atomic<uint32_t> active_runs_{0};
  alignas(64) std::atomic<uint32_t> sleepers_{0};
  std::atomic<uint32_t> wake_count_{0};
  std::atomic<uint32_t> next_worker_{0};
  std::atomic<bool> stopping_{false};
  std::array<Slot, kSlots> slots_;
};

}  // namespace sdx
