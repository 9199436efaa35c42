#include "runtime/buffer_pool.h"

#include <cstdlib>

namespace sdx::runtime {
namespace {

constexpr size_t kGranule = 4096;
// A buffer may serve a request of down to half its size.
constexpr size_t kMaxWaste = 2;

size_t rounded(size_t bytes) {
  const size_t granule = bytes < kGranule ? kTensorAlignment : kGranule;
  return bytes == 0 ? kTensorAlignment : (bytes + granule - 1) / granule * granule;
}

}  // namespace

struct BufferPool::Shelf {
  std::mutex mutex;
  std::multimap<size_t, void*> idle;  // by size
  size_t idle_bytes = 0;
  size_t out_bytes = 0;
  size_t peak_bytes = 0;  // of what was out at once; more than that is never kept
  ~Shelf() { clear(); }
  void clear() {
    for (const auto& [size, memory] : idle) std::free(memory);
    idle.clear();
    idle_bytes = 0;
  }
};

BufferPool::BufferPool() : shelf_(std::make_shared<Shelf>()) {}

void BufferPool::release_idle() {
  const std::lock_guard lock(shelf_->mutex);
  shelf_->clear();
  shelf_->peak_bytes = shelf_->out_bytes;
}

Result<std::shared_ptr<void>> BufferPool::allocate(size_t bytes) {
  if (bytes > SIZE_MAX - kGranule)
    return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  size_t size = rounded(bytes);
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
  }
  if (memory == nullptr) memory = std::aligned_alloc(kTensorAlignment, size);
  if (memory == nullptr) {
    const std::lock_guard lock(shelf_->mutex);
    shelf_->out_bytes -= size;
    return make_error(Code::runtime_exception, "out of memory: {} bytes were asked for", bytes);
  }
  return std::shared_ptr<void>(memory, [shelf = shelf_, size](void* returned) {
    const std::lock_guard lock(shelf->mutex);
    shelf->out_bytes -= size;
    if (shelf->out_bytes + shelf->idle_bytes + size > shelf->peak_bytes) {
      std::free(returned);
      return;
    }
    shelf->idle.emplace(size, returned);
    shelf->idle_bytes += size;
  });
}

}  // namespace sdx::runtime
