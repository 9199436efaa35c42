// What the contract and the kernels of Resize share.
#pragma once

#include "ops/image/resize_layout.h"

namespace sdx::ops {

Status resize_reference(KernelContext& ctx);
ResizeInputs resize_inputs(const KernelContext& ctx);
Result<Tensor> resize_extrapolated(const KernelContext& ctx);  // the element that stands for all outside
// The kernels' two ways; they write all of the output.
Status resize_interpolating(KernelContext& ctx, const ResizeLayout& layout);
Status resize_picking(KernelContext& ctx, const ResizeLayout& layout);

}  // namespace sdx::ops
