// What ZipMap's contract and kernel share.
#pragma once

#include "ops/ml/ml_common.h"

namespace sdx::ops {

Result<Tensor> zip_map_keys(const Attributes& attributes);
Status run_zip_map(KernelContext& ctx, const Tensor& keys);

}  // namespace sdx::ops
