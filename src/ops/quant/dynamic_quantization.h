// Quantization to uint8 by the range of the values themselves, in float32.
#pragma once

#include <cmath>

#include "ops/quant/quantization.h"

namespace sdx::ops {

struct DynamicScale {
  float scale = 1;
  uint8_t zero_point = 0;
};

// For a range that contains 0.
inline DynamicScale dynamic_scale(float low, float high) {
  DynamicScale made;
  if (!(high > low)) return made;
  made.scale = (high - low) / 255.0f;
  const float zero = std::nearbyint((0.0f - low) / made.scale);
  made.zero_point = static_cast<uint8_t>(zero >= 0 ? (zero <= 255 ? zero : 255) : 0);
  return made;
}

// The CPU kernels' way, in parallel: of all of x, and to its bytes.
Result<DynamicScale> dynamic_scale_of(KernelContext& ctx, const float* x, int64_t count);
Status quantize_dynamic(KernelContext& ctx, const float* x, int64_t count, const DynamicScale& to, uint8_t* y);

}  // namespace sdx::ops
