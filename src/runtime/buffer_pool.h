// BufferPool: memory of a session's intermediate tensors, kept between runs so that a repeated run asks the system for
// nothing.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/tensor.h"

namespace sdx::runtime {

class BufferPool final : public Allocator {
 public:
  BufferPool();
  Result<std::shared_ptr<void>> allocate(size_t bytes) override;
  void release_idle();  // gives back everything that nobody holds

 private:
  struct Shelf;  // shared with the buffers that are out, which may outlive the pool
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace sdx::runtime
