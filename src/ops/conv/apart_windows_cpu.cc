#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/conv/apart_windows.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void interleave(const float* from, int64_t row, int64_t rows, int64_t count, float* to) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (rows == 2) {
    for (; i + lanes <= count; i += lanes)
      hn::StoreInterleaved2(hn::LoadU(d, from + i), hn::LoadU(d, from + row + i), d, to + 2 * i);
  }
  for (; i < count; ++i)
    for (int64_t r = 0; r < rows; ++r) to[i * rows + r] = from[r * row + i];
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {

InterleaveFloats interleave_floats_kernel() { return SDX_DISPATCH(interleave); }

}  // namespace sdx::ops
#endif
