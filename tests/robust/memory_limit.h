// A guard against gigantic allocations: while a MemoryLimit lives, a single request for more than its bytes fails as it
// would on a machine that is out of memory.
#pragma once

#include <cstddef>

namespace sdx::test {

class MemoryLimit {
 public:
  explicit MemoryLimit(size_t bytes);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit();
};

}  // namespace sdx::test
