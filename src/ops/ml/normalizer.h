// What Normalizer's contract and kernel share.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

enum class Norm : uint8_t { max, l1, l2 };
Result<Norm> norm_of(const Attributes& attributes);

}  // namespace sdx::ops
