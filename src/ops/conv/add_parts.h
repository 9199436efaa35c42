// The opposite of im2col for one channel: the parts of all kernel elements are added where they belong.
#pragma once

#include "ops/conv/im2col.h"

namespace sdx::ops {

// y[in] += parts[kernel element][out]: part k of position o at o * stride - begin + k * dilation, if that is inside.
using AddParts = void (*)(const Im2col& sizes, const float* parts, float* y);
AddParts add_parts();  // at the SIMD level in force

}  // namespace sdx::ops
