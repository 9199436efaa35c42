// WeightHeap: where large blocks come from while weights are packed. They lie together in huge pages, and what is freed
// meanwhile is used again with its pages: a fault for each 4 KB costs more than packing them.
#pragma once

#include <cstddef>

namespace sdx {

class WeightHeap {
 public:
  // Blocks that this thread allocates meanwhile (see allocate_block) come from the heap. When the last scope of the
  // process ends, the free parts go back to the system.
  class Scope {
   public:
    // `expected`: bytes that will be packed, as far as known; pages for so much come by whole units.
    explicit Scope(size_t expected = 0);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    bool before_;
  };

  // Null: not from here. `bytes` from kPageMemoryFrom on; aligned to a page.
  static void* allocate(size_t bytes);
  // False: the memory is not from here.
  static bool free(void* memory, size_t bytes);
  static size_t held_bytes();  // address space of the heap
};

}  // namespace sdx
