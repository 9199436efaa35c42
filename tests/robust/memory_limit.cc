#include "memory_limit.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {
std::atomic<size_t> largest_request{SIZE_MAX};
}

namespace sdx::test {
MemoryLimit::MemoryLimit(size_t bytes) { largest_request = bytes; }
MemoryLimit::~MemoryLimit() { largest_request = SIZE_MAX; }
}  // namespace sdx::test

// Tensors come from aligned_alloc. Under AddressSanitizer it cannot be replaced: there the limit stands all the time.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=16:allocator_may_return_null=1"; }
#else
extern "C" void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  void* memory = nullptr;
  if (bytes > largest_request || posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  return memory;
}
#endif

void* operator new(size_t bytes) {
  void* memory = bytes > largest_request ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return bytes > largest_request ? nullptr : std::malloc(bytes);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
