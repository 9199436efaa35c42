#include "base/page_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "base/sanitizer.h"

namespace sdx {

constinit const size_t kPageMemoryFrom = kUnderSanitizer ? SIZE_MAX : 64 * 1024;

void* allocate_pages(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void free_pages(void* memory, size_t bytes) { munmap(memory, bytes); }

void* allocate_block(size_t bytes, size_t alignment) {
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  if (rounded < bytes) return nullptr;
  if (bytes >= kPageMemoryFrom) return allocate_pages(rounded);
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void free_block(void* memory, size_t bytes) {
  if (bytes >= kPageMemoryFrom) {
    free_pages(memory, bytes);
  } else {
    std::free(memory);
  }
}

}  // namespace sdx
