// What Imputer's contract and kernel share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Whether there are imputed values of the input's kind, as many as wanted.
Status check_imputed(const KernelContext& ctx);

}  // namespace sdx::ops
