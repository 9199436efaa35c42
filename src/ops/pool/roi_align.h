// Where RoiAlign takes its samples.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// A point between four elements of a plane: their places and weights. One too far outside is 0, whatever the plane
// holds.
struct RoiSample {
  bool inside = false;
  int64_t corner[4] = {};
  double weight[4] = {};
};
RoiSample roi_sample(double y, double x, int64_t height, int64_t width);

// A region along one axis: first coordinate, size of a bin, samples in a bin.
struct RoiAxis {
  double start = 0, bin = 0;
  int64_t samples = 0;
  double at(int64_t index, int64_t sample) const;  // of a bin
};

struct RoiRegion {
  int64_t batch = 0;
  RoiAxis down, across;
};
// Region `roi` of the node's inputs, checked.
Result<RoiRegion> roi_region(const KernelContext& ctx, int64_t roi);

}  // namespace sdx::ops
