// What the contract and the kernel of MaxRoiPool share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

struct RoiBins {
  struct Range {
    int64_t begin, end;
  };
  int64_t batch = 0;
  double left = 0, top = 0, right = 0, bottom = 0;  // before they are scaled
  double scale = 1;

  // Elements of row or column `i` of the bins of an axis of `size` elements.
  Range down(int64_t i, int64_t bins, int64_t size) const { return range(top, bottom, i, bins, size); }
  Range across(int64_t i, int64_t bins, int64_t size) const { return range(left, right, i, bins, size); }

 private:
  Range range(double low, double high, int64_t i, int64_t bins, int64_t size) const;
};
// Region `roi`, checked.
Result<RoiBins> roi_bins(const KernelContext& ctx, int64_t roi);

}  // namespace sdx::ops
