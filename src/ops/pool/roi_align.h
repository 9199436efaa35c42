// What RoiAlign's contract and kernel share: where a region is sampled.
#pragma once

#include <algorithm>

#include "ops/op.h"

namespace sdx::ops {

// The range of a region along one axis: first coordinate, size of a bin, samples in a bin.
struct RegionAxis {
  double start = 0, bin = 0;
  int64_t samples = 0;
  double at(int64_t of_bin, int64_t sample) const {
    return start +
           bin * (static_cast<double>(of_bin) + (static_cast<double>(sample) + 0.5) / static_cast<double>(samples));
  }
};

struct AlignedRegion {
  int64_t batch = 0;
  RegionAxis down, across;
  double samples() const {  // of a bin, to divide by
    return std::max(1.0, static_cast<double>(down.samples) * static_cast<double>(across.samples));
  }
};
// Fails where the region's batch or edges are wrong, or x has nothing to sample.
Result<AlignedRegion> aligned_region(const KernelContext& ctx, int64_t roi, int64_t rows, int64_t columns);

// A coordinate between two elements: (1 - part) of the low one and `part` of the high one.
struct AxisSample {
  bool inside = false;
  int64_t low = 0, high = 0;
  double part = 0;
};
AxisSample axis_sample(double at, int64_t size);

// The elements that each bin of an axis is a sum of.
struct BinTap {
  int64_t at = 0;
  float weight = 0;
};
struct BinTaps {
  std::vector<BinTap> list;
  std::vector<size_t> ends;      // of each bin's taps
  int64_t first = 0, last = -1;  // of all taps
};

}  // namespace sdx::ops
