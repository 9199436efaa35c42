#include "base/thread_pool.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/cpu.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/knobs.h"
#include "base/status.h"

namespace sdx {
namespace {

constexpr uint64_t kLeftMask = (uint64_t{1} << 24) - 1;
constexpr uint64_t kAnyGeneration = ~uint64_t{0};

uint64_t generation_of(uint64_t ticket) { return ticket >> 24; }
uint32_t left_of(uint64_t ticket) { return static_cast<uint32_t>(ticket & kLeftMask); }

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Guards the registry and every start of workers.
ForkMutex& lifecycle() {
  static ForkMutex& mutex = *new ForkMutex;
  return mutex;
}

}  // namespace

int ThreadPool::default_size() {
  const uint32_t wanted = knob::threads();
  return wanted != 0 ? static_cast<int>(std::min(wanted, 1024u)) : allowed_cores();
}

std::shared_ptr<ThreadPool> ThreadPool::shared(int threads) {
  static std::vector<std::weak_ptr<ThreadPool>>& pools = *new std::vector<std::weak_ptr<ThreadPool>>;
  const int size = threads > 0 ? std::min(threads, 1024) : default_size();
  const std::lock_guard lock(lifecycle());
  std::erase_if(pools, [](const auto& pool) { return pool.expired(); });
  for (const auto& known : pools)
    if (auto pool = known.lock(); pool != nullptr && pool->size() == size) return pool;
  auto pool = std::make_shared<ThreadPool>(ThreadPoolOptions{.threads = size, .hooks = {}});
  pools.push_back(pool);
  return pool;
}

ThreadPool::ThreadPool(const ThreadPoolOptions& options)
    : size_(options.threads > 0 ? std::min(options.threads, 1024) : default_size()),
      spin_ns_(options.spin_ns),
      hooks_(options.hooks) {}

ThreadPool::~ThreadPool() {
  if (started_in_.load(std::memory_order_acquire) == process_generation()) {
    stop_workers();
  } else {
    forget_parent();
  }
}

void ThreadPool::start() {
  if (started_in_.load(std::memory_order_acquire) == process_generation() || size_ == 1) return;
  const std::lock_guard lock(lifecycle());
  if (started_in_.load(std::memory_order_relaxed) == process_generation()) return;
  if (started_in_.load(std::memory_order_relaxed) != 0) forget_parent();
  start_workers();
  started_in_.store(process_generation(), std::memory_order_release);
}

// In the child of a fork the workers and everybody else who used the pool are gone. Threads that do not exist can be
// neither joined nor detached: their handles are dropped.
void ThreadPool::forget_parent() {
  for (auto& thread : threads_) {
    alignas(std::thread) std::array<std::byte, sizeof(std::thread)> never_destroyed;
    new (never_destroyed.data()) std::thread(std::move(thread));
  }
  threads_.clear();
  custom_threads_.clear();
  for (auto& slot : slots_) {
    slot.ticket.store((generation_of(slot.ticket.load()) + 1) << 24);
    slot.failed.store(false);
    slot.error = nullptr;
  }
  open_ = owned_ = active_runs_ = sleepers_ = 0;
}

void ThreadPool::start_workers() {
  // Workers block all signals: the program's handlers run on its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int i = 1; i < size_; ++i) {
    if (hooks_) {
      const ThreadHooks::Handle handle = hooks_.create(hooks_.options, worker_entry, this);
      if (handle != nullptr) custom_threads_.push_back(handle);
      continue;
    }
    try {
      threads_.emplace_back(worker_entry, this);
    } catch (const std::system_error&) {
      break;  // fewer workers: slower, not wrong
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::stop_workers() {
  stopping_.store(true, std::memory_order_seq_cst);
  wake_count_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(wake_count_);
  for (auto& thread : threads_) thread.join();
  for (const auto handle : custom_threads_) hooks_.join(handle);
}

namespace {

// The part of every region that a thread begins with, so that it finds near it what it wrote in the region before.
thread_local uint32_t own_part = 0;

// The blocks of a region in as many parts as there are threads, which lie far apart: of neighbours, each core would
// fetch lines that the other is writing. Who has run out of its own takes from the others': as many as there are
// blocks may ask, and each finds one.
class Parts {
 public:
  Parts(uint32_t blocks, uint32_t threads) : blocks_(blocks), count_(std::min({threads, blocks, kMost})) {
    for (uint32_t i = 0; i < count_; ++i) next_[i].store(begin(i), std::memory_order_relaxed);
  }
  uint32_t take() {
    for (uint32_t i = 0; i < count_; ++i) {
      const uint32_t part = (own_part + i) % count_;
      if (next_[part].load(std::memory_order_relaxed) >= begin(part + 1)) continue;
      const uint32_t block = next_[part].fetch_add(1, std::memory_order_relaxed);
      if (block < begin(part + 1)) return block;
    }
    SDX_CHECK(false, "more blocks are taken than there are");
    return 0;
  }

 private:
  static constexpr uint32_t kMost = 16;
  uint32_t begin(uint32_t part) const { return static_cast<uint32_t>(static_cast<uint64_t>(blocks_) * part / count_); }
  const uint32_t blocks_, count_;
  std::array<std::atomic<uint32_t>, kMost> next_;
};

}  // namespace

void ThreadPool::parallel_for(int64_t blocks, Work work) {
  if (blocks <= 1 || size_ == 1) {
    for (int64_t block = 0; block < blocks; ++block) work(block);
    return;
  }
  start();
  if (blocks <= kMaxBlocks) return run_region(static_cast<uint32_t>(blocks), work);
  for (int64_t first = 0; first < blocks; first += kMaxBlocks) {
    const auto shifted = [&](int64_t block) { work(first + block); };
    run_region(static_cast<uint32_t>(std::min(kMaxBlocks, blocks - first)), shifted);
  }
}

void ThreadPool::run_region(uint32_t blocks, const Work& given) {
  Parts parts(blocks, static_cast<uint32_t>(size_));
  const auto work_on_part = [&](int64_t /*turn*/) { given(parts.take()); };
  const Work work(work_on_part);
  const uint32_t process = process_generation();
  uint32_t owned = owned_.load(std::memory_order_relaxed);
  uint32_t mine = 0;
  do {
    mine = ~owned & (owned + 1);  // the lowest free slot
    if (mine == 0) {              // deeper or wider than anybody needs: the caller alone
      for (uint32_t block = 0; block < blocks; ++block) given(block);
      return;
    }
  } while (!owned_.compare_exchange_weak(owned, owned | mine, std::memory_order_acq_rel));

  const int index = __builtin_ctz(mine);
  Slot& slot = slots_[static_cast<size_t>(index)];
  slot.work.store(&work, std::memory_order_relaxed);
  slot.total.store(blocks, std::memory_order_relaxed);
  slot.done.store(0, std::memory_order_relaxed);
  const uint64_t generation = (generation_of(slot.ticket.load(std::memory_order_relaxed)) + 1) & (kAnyGeneration >> 24);
  // The bit goes first: it is cleared by whoever takes the last block, who must not come before it is set.
  open_.fetch_or(mine, std::memory_order_seq_cst);
  slot.ticket.store((generation << 24) | (blocks - 1), std::memory_order_seq_cst);  // block 0 is the caller's
  if (sleepers_.load(std::memory_order_seq_cst) != 0) wake_workers(blocks - 1);

  run_block(slot, work, 0);
  finish_blocks(slot, 1 + take_blocks(index, generation));
  wait_for(slot, blocks, process);

  std::exception_ptr error;
  if (slot.failed.load(std::memory_order_relaxed)) {
    error = std::exchange(slot.error, nullptr);
    slot.failed.store(false, std::memory_order_relaxed);
  }
  if (process_generation() == process) owned_.fetch_and(~mine, std::memory_order_release);
  if (error != nullptr) std::rethrow_exception(error);
}

// Takes and runs blocks of a slot until none is left; returns how many. The caller must then report them as done.
uint32_t ThreadPool::take_blocks(int slot_index, uint64_t generation) {
  Slot& slot = slots_[static_cast<size_t>(slot_index)];
  uint32_t taken = 0;
  uint64_t ticket = slot.ticket.load(std::memory_order_acquire);
  while (left_of(ticket) != 0 && (generation == kAnyGeneration || generation == generation_of(ticket))) {
    const Work* work = slot.work.load(std::memory_order_relaxed);
    const uint32_t total = slot.total.load(std::memory_order_relaxed);
    if (!slot.ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    const uint32_t left = left_of(ticket);
    if (left == 1) open_.fetch_and(~(1u << slot_index), std::memory_order_relaxed);
    generation = generation_of(ticket);  // what is reported as done belongs to one region
    run_block(slot, *work, total - left);
    ++taken;
    ticket = slot.ticket.load(std::memory_order_acquire);
  }
  return taken;
}

void ThreadPool::run_block(Slot& slot, const Work& work, int64_t block) {
  if (slot.failed.load(std::memory_order_relaxed)) return;
  try {
    work(block);
  } catch (...) {
    if (!slot.failed.exchange(true, std::memory_order_relaxed)) slot.error = std::current_exception();
  }
}

void ThreadPool::finish_blocks(Slot& slot, uint32_t count) {
  slot.done.fetch_add(count, std::memory_order_seq_cst);
  if (slot.caller_sleeps.load(std::memory_order_seq_cst) != 0) futex_wake(slot.done);
}

void ThreadPool::wait_for(Slot& slot, uint32_t total, uint32_t process) {
  if (slot.done.load(std::memory_order_acquire) == total) return;
  const int64_t begin = now_ns();
  do {
    for (int i = 0; i < 64; ++i) {
      if (slot.done.load(std::memory_order_acquire) == total) return;
      relax();
    }
  } while (now_ns() - begin < spin_ns_);
  slot.caller_sleeps.store(1, std::memory_order_seq_cst);
  while (true) {
    const uint32_t done = slot.done.load(std::memory_order_seq_cst);
    if (done == total) break;
    if (process_generation() != process) throw std::runtime_error("the process was forked inside a parallel region");
    futex_wait(slot.done, done);
  }
  slot.caller_sleeps.store(0, std::memory_order_relaxed);
}

void ThreadPool::wake_workers(uint32_t wanted) {
  wake_count_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake(wake_count_, static_cast<int>(std::min<uint32_t>(wanted, static_cast<uint32_t>(size_))));
}

void ThreadPool::worker_entry(void* pool) { static_cast<ThreadPool*>(pool)->work_until_stopped(); }

// True when a block was run. Workers begin at different slots, so that several regions share them out.
bool ThreadPool::look_for_work(uint32_t first) {
  const uint32_t open = open_.load(std::memory_order_seq_cst);
  if (open == 0) return false;
  bool worked = false;
  for (uint32_t rotated = (open >> first) | (first == 0 ? 0 : open << (32 - first)); rotated != 0;
       rotated &= rotated - 1) {
    const int index = static_cast<int>((static_cast<uint32_t>(__builtin_ctz(rotated)) + first) % kSlots);
    const uint32_t taken = take_blocks(index, kAnyGeneration);
    if (taken != 0) finish_blocks(slots_[static_cast<size_t>(index)], taken);
    worked |= taken != 0;
  }
  return worked;
}

void ThreadPool::work_until_stopped() {
  const uint32_t index = next_worker_.fetch_add(1, std::memory_order_relaxed), first = index % 4;
  own_part = 1 + index % static_cast<uint32_t>(size_ - 1);
  int64_t idle_since = 0;
  while (!stopping_.load(std::memory_order_relaxed)) {
    if (look_for_work(first)) {
      idle_since = 0;
      continue;
    }
    for (int i = 0; i < 64 && open_.load(std::memory_order_relaxed) == 0; ++i) relax();
    const int64_t now = now_ns();
    if (idle_since == 0) idle_since = now;
    const bool spin = active_runs_.load(std::memory_order_relaxed) != 0 && now - idle_since < spin_ns_;
    if (spin || open_.load(std::memory_order_relaxed) != 0) continue;
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    const uint32_t wakes = wake_count_.load(std::memory_order_seq_cst);
    if (open_.load(std::memory_order_seq_cst) == 0 && !stopping_.load(std::memory_order_seq_cst))
      futex_wait(wake_count_, wakes);
    sleepers_.fetch_sub(1, std::memory_order_seq_cst);
    idle_since = 0;
  }
}

ThreadPool::ActiveScope::ActiveScope(ThreadPool& pool) : pool_(pool), process_(process_generation()) {
  // In the child of a fork the count is the parent's until the pool starts again.
  const uint32_t started_in = pool_.started_in_.load(std::memory_order_acquire);
  if (started_in != process_ && started_in != 0) pool_.start();
  pool_.active_runs_.fetch_add(1, std::memory_order_relaxed);
}

ThreadPool::ActiveScope::~ActiveScope() {
  if (process_ == process_generation()) pool_.active_runs_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace sdx
