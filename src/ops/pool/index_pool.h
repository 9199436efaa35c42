// MaxPool with indices, for floats and 8-bit integers; of double without them too.
#pragma once

#include "ops/pool/row_pool.h"

namespace sdx::ops {

Status run_index_pool(KernelContext& ctx);
Dim index_pool_scratch(const ScratchFacts& facts);
int64_t column_major(int64_t index, std::span<const int64_t> shape);  // of an index into a plane

}  // namespace sdx::ops
