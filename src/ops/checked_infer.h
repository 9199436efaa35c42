// A contract's shape rule, with the checks that hold for every rule: what import, planning and runs call.
#pragma once

#include "ops/op.h"

namespace sdx::ops {

// Fails where the rule does, where an input whose elements decide shapes is no vector or scalar, where the node asks
// for an output that the operator lacks, and for shapes that no value can have.
Result<Facts> checked_infer(const Contract& contract, InferContext& ctx);

}  // namespace sdx::ops
