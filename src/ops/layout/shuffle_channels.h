// The copies of ShuffleChannels.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Planes of the output, one an image and channel.
class ShuffledPlanes {
 public:
  explicit ShuffledPlanes(KernelContext& ctx);
  int64_t count() const { return count_; }
  size_t plane_bytes() const { return plane_bytes_; }
  void copy(int64_t plane) const;

 private:
  const std::byte* x_;
  std::byte* y_;
  int64_t groups_, channels_ = 0, count_ = 0;
  size_t plane_bytes_ = 0;
};

}  // namespace sdx::ops
