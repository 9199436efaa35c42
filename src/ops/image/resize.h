// What the contract and the kernels of Resize share.
#pragma once

#include "ops/image/resize_taps.h"

namespace sdx::ops {

Status resize_reference(KernelContext& ctx);
ResizeInputs resize_inputs(const KernelContext& ctx);

}  // namespace sdx::ops
