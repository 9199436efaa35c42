// The copies of BlockedDepthToSpace.
#pragma once

#include "ops/layout/blocked.h"

namespace sdx::ops {

// Rows of the output along its last spatial axis.
class DepthRows {
 public:
  explicit DepthRows(KernelContext& ctx);
  int64_t count() const { return count_; }
  int64_t row_bytes() const { return in_.back() * factors_.back() * static_cast<int64_t>(lane_bytes_); }
  void copy(int64_t row) const;

 private:
  std::byte* y_;
  const std::byte* x_;
  Shape in_, factors_;
  int64_t blocks_ = 0, count_ = 0;
  size_t lane_bytes_ = 0;
};

}  // namespace sdx::ops
