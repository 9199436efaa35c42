// What the contract and the kernel of Col2Im share.
#pragma once

#include "ops/windows.h"

namespace sdx::ops {

Status col2im_reference(KernelContext& ctx);
// The windows over the image, one for each column of the input; an error where there are more or fewer.
Result<Windows> col2im_windows(const KernelContext& ctx);

}  // namespace sdx::ops
