// Memory straight from the system, in whole pages, for large blocks: what is freed is the system's again at once, which
// a heap does not promise.
#pragma once

#include <cstddef>

namespace sdx {

// Blocks of at least this size are worth it; smaller ones belong to the heap. Sanitizers see the heap only.
extern const size_t kPageMemoryFrom;

// Zeroed, aligned to a page; null when out of memory.
void* allocate_pages(size_t bytes);
void free_pages(void* memory, size_t bytes);

// From pages or from the heap, by size; aligned to `alignment`, at most a page. Null when out of memory.
void* allocate_block(size_t bytes, size_t alignment);
void free_block(void* memory, size_t bytes);

}  // namespace sdx
