// float32 kernels of Softmax and LogSoftmax.
#pragma once

#include "ops/norm/softmax_family.h"

namespace sdx::ops {

enum class SoftmaxKind { plain, log };
Status run_softmax_f32(KernelContext& ctx, SoftmaxKind kind);
Status run_log_softmax_f32(KernelContext& ctx, const AxisView& view, const float* x, float* y);

// Of rows of 16-bit floats, whose every step is rounded to 16 bits.
struct HalfSoftmaxSteps {
  void (*subtract)(float* x, float top, size_t count);
  void (*exp_bounds)(const float* x, float* low, float* high, size_t count);  // on both sides of e^x, x <= 0
  double (*total)(const float* x, size_t count);
  void (*divide)(float* x, float by, size_t count);
};
HalfSoftmaxSteps half_softmax_steps();

}  // namespace sdx::ops
