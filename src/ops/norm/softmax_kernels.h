// float32 kernels of Softmax and LogSoftmax.
#pragma once

#include "ops/norm/softmax_family.h"

namespace sdx::ops {

enum class SoftmaxKind { plain, log };
Status run_softmax_f32(KernelContext& ctx, SoftmaxKind kind);

}  // namespace sdx::ops
