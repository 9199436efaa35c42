#include "runtime/buffer_pool.h"

#include <cstdlib>

#include "base/fork.h"
#include "base/page_memory.h"

namespace sdx::runtime {
namespace {

constexpr size_t kGranule = 4096;
constexpr size_t kTooSmallToKeep = 2048;  // the heap is as fast
// A buffer may serve a request of down to half its size.
constexpr size_t kMaxWaste = 2;

size_t rounded(size_t bytes) {
  const size_t granule = bytes < kGranule ? kTensorAlignment : kGranule;
  return bytes == 0 ? kTensorAlignment : (bytes + granule - 1) / granule * granule;
}

}  // namespace

struct BufferPool::Shelf {
  ForkMutex mutex;
  std::multimap<size_t, void*> idle;  // by size
  size_t idle_bytes = 0;
  size_t out_bytes = 0;
  size_t peak_bytes = 0;   // of what was out at once, lately; more than that is never kept
  size_t recent_peak = 0;  // of the runs since the last look
  std::atomic<uint32_t> runs = 0;
  std::shared_ptr<MemoryAccount> account;
  ~Shelf() { clear(); }
  void clear() {
    for (const auto& [size, memory] : idle) free_block(memory, size);
    idle.clear();
    idle_bytes = 0;
  }
};

BufferPool::BufferPool(std::shared_ptr<MemoryAccount> account) : shelf_(std::make_shared<Shelf>()) {
  shelf_->account = std::move(account);
}

void BufferPool::finish_run() {
  if (shelf_->runs.fetch_add(1, std::memory_order_relaxed) % kRunsToShrink != kRunsToShrink - 1) return;
  const std::lock_guard lock(shelf_->mutex);
  shelf_->peak_bytes = std::max(shelf_->recent_peak, shelf_->out_bytes);
  shelf_->recent_peak = shelf_->out_bytes;
  while (!shelf_->idle.empty() && shelf_->out_bytes + shelf_->idle_bytes > shelf_->peak_bytes) {
    const auto largest = std::prev(shelf_->idle.end());
    free_block(largest->second, largest->first);
    shelf_->idle_bytes -= largest->first;
    shelf_->idle.erase(largest);
  }
}

void BufferPool::release_idle() {
  const std::lock_guard lock(shelf_->mutex);
  shelf_->clear();
  shelf_->peak_bytes = shelf_->out_bytes;
}

Result<std::shared_ptr<void>> BufferPool::allocate(size_t bytes) {
  if (bytes > SIZE_MAX - kGranule)
    return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  if (bytes <= kTooSmallToKeep) return allocate_bytes(bytes);
  size_t size = rounded(bytes);
  if (shelf_->account != nullptr) SDX_TRY(shelf_->account->charge(bytes));
  void* memory = nullptr;
  {
    const std::lock_guard lock(shelf_->mutex);
    if (const auto found = shelf_->idle.lower_bound(size);
        found != shelf_->idle.end() && found->first / kMaxWaste <= size) {
      memory = found->second;
      size = found->first;
      shelf_->idle.erase(found);
      shelf_->idle_bytes -= size;
    }
    shelf_->out_bytes += size;
    shelf_->peak_bytes = std::max(shelf_->peak_bytes, shelf_->out_bytes);
    shelf_->recent_peak = std::max(shelf_->recent_peak, shelf_->out_bytes);
  }
  if (memory == nullptr) memory = allocate_block(size, kTensorAlignment);
  if (memory == nullptr) {
    const std::lock_guard lock(shelf_->mutex);
    shelf_->out_bytes -= size;
    if (shelf_->account != nullptr) shelf_->account->refund(bytes);
    return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  }
  return std::shared_ptr<void>(memory, [shelf = shelf_, size, bytes](void* returned) {
    if (shelf->account != nullptr) shelf->account->refund(bytes);
    const std::lock_guard lock(shelf->mutex);
    shelf->out_bytes -= size;
    if (shelf->out_bytes + shelf->idle_bytes + size > shelf->peak_bytes) {
      free_block(returned, size);
      return;
    }
    shelf->idle.emplace(size, returned);
    shelf->idle_bytes += size;
  });
}

}  // namespace sdx::runtime
