// Shape rules that follow the elements of small integer tensors (see Fact::elements) through elementwise operators.
#pragma once

#include "ops/infer.h"

namespace sdx::ops {

// One element of the output from those of the inputs, in the inputs' order. Booleans are 0 and 1.
using ElementRule = std::function<Dim(std::span<const Dim>)>;

// An output of this type in the broadcast shape of all inputs, its elements by `rule` where the inputs' are tracked.
Result<Facts> infer_elements(InferContext& ctx, DType type, const ElementRule& rule);

// 0 or 1 where it is decided, else an unknown value.
Dim truth_element(InferContext& ctx, Truth truth);

}  // namespace sdx::ops
