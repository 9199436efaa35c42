#include "base/page_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/page_supply.h"
#include "base/sanitizer.h"
#include "base/weight_heap.h"

namespace sdx {

constinit const size_t kPageMemoryFrom = kUnderSanitizer ? SIZE_MAX : 64 * 1024;

void* allocate_pages(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void free_pages(void* memory, size_t bytes) { munmap(memory, bytes); }

namespace {

// In huge pages as far as whole ones are filled.
void* allocate_huge_pages(size_t bytes) {
  if (bytes > SIZE_MAX - 2 * kHugePage) return nullptr;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), rounded = (bytes + page - 1) / page * page;
  void* memory = allocate_at_huge_page(rounded);
  if (memory == nullptr) return allocate_pages(bytes);
  advise_huge_pages(memory, bytes);
  return memory;
}

}  // namespace

void* allocate_block(size_t bytes, size_t alignment) {
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  if (rounded < bytes) return nullptr;
  if (bytes >= kPageMemoryFrom)
    if (void* memory = WeightHeap::allocate(rounded)) return memory;
  if (bytes >= kPageMemoryFrom) return bytes < kHugePage ? allocate_pages(rounded) : allocate_huge_pages(rounded);
  return std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void free_block(void* memory, size_t bytes) {
  if (bytes < kPageMemoryFrom) {
    std::free(memory);
  } else if (!WeightHeap::free(memory, bytes)) {
    free_pages(memory, bytes);
  }
}

}  // namespace sdx
