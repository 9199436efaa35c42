// BufferPool: memory of a session's intermediate tensors, kept between runs so that a repeated run asks the system for
// nothing, and given back when runs need less of it for a while.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/tensor.h"
#include "runtime/memory_account.h"

namespace sdx::runtime {

class BufferPool final : public Allocator {
 public:
  // `account` (null: nobody's) is charged for what is out; it outlives the buffers.
  explicit BufferPool(std::shared_ptr<MemoryAccount> account = nullptr);
  Result<std::shared_ptr<void>> allocate(size_t bytes) override;
  void release_idle();  // gives back everything that nobody holds
  void finish_run();    // what the last kRunsToShrink runs did not need goes back

  static constexpr int kRunsToShrink = 8;

 private:
  struct Shelf;  // shared with the buffers that are out, which may outlive the pool
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace sdx::runtime
