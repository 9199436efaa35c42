// BlockVector: a vector whose memory is a block (see page_memory.h), for megabytes. What `resize` adds has no value
// yet.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "base/page_memory.h"

namespace sdx {

template <typename T>
struct BlockAllocator {
  using value_type = T;
  static constexpr size_t kAlignment = 64;

  BlockAllocator() = default;
  template <typename U>
  BlockAllocator(const BlockAllocator<U>&) {}

  T* allocate(size_t count) {
    if (count > static_cast<size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* memory = allocate_block(count * sizeof(T), kAlignment);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { free_block(memory, count * sizeof(T)); }
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const BlockAllocator&, const BlockAllocator&) { return true; }
};

template <typename T>
using BlockVector = std::vector<T, BlockAllocator<T>>;

}  // namespace sdx
