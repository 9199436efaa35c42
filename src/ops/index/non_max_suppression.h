// What the contract and the kernel of NonMaxSuppression share.
#pragma once

#include <algorithm>

#include "ops/op.h"

namespace sdx::ops {

struct Box {
  float low_y, low_x, high_y, high_x;
  float area() const { return (high_y - low_y) * (high_x - low_x); }
};

// Of four numbers: two opposite corners, or center, width and height.
inline Box box_of(const float* v, bool center) {
  if (center) {
    const float half_width = v[2] / 2, half_height = v[3] / 2;
    return {v[1] - half_height, v[0] - half_width, v[1] + half_height, v[0] + half_width};
  }
  return {std::min(v[0], v[2]), std::min(v[1], v[3]), std::max(v[0], v[2]), std::max(v[1], v[3])};
}

// Their intersection over union is above the threshold.
bool overlap(const Box& a, const Box& b, float threshold);

// Attributes and the inputs of one number.
struct SuppressionLimits {
  bool center = false, has_least = false;
  int64_t most = 0;
  float iou = 0;
  double least = 0;
};
Result<SuppressionLimits> limits_of(const KernelContext& ctx);

}  // namespace sdx::ops
