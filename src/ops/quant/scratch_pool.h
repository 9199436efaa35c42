// Scratch memory for the blocks of a parallel loop: at most one buffer a thread, allocated on first use.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/tensor.h"

namespace sdx::ops {

class ScratchPool {
 public:
  explicit ScratchPool(size_t bytes) : bytes_(bytes) {}

  // A buffer of at least `bytes`, aligned to 64, returned to the pool at the end of its scope. Throws std::bad_alloc.
  class Buffer {
   public:
    explicit Buffer(ScratchPool& pool) : pool_(pool), memory_(pool.take()) {}
    ~Buffer() { pool_.give(std::move(memory_)); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    template <typename T>
    T* at(size_t byte_offset) {
      return reinterpret_cast<T*>(static_cast<std::byte*>(memory_.get()) + byte_offset);
    }

   private:
    ScratchPool& pool_;
    std::shared_ptr<void> memory_;
  };

  // Bytes of `count` elements, rounded up so that the next part is aligned.
  static constexpr size_t part(int64_t count, size_t element) {
    return (static_cast<size_t>(count) * element + 63) / 64 * 64;
  }

 private:
  std::shared_ptr<void> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::shared_ptr<void> memory = std::move(free_.back());
        free_.pop_back();
        return memory;
      }
    }
    auto memory = allocate_bytes(bytes_);
    if (!memory.ok()) throw std::bad_alloc();
    return std::move(memory).value();
  }
  void give(std::shared_ptr<void> memory) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(memory));
  }

  size_t bytes_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<void>> free_;
};

}  // namespace sdx::ops
