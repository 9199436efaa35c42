#include "ops/testing/op_case.h"

namespace contrib {
OP_CASES_IN("com.microsoft", Gelu,
            {"values", {f32({3}, {-1, 0, 1})}, {f32({3}, {-0.15865525393145707, 0.0, 0.8413447460685429})}});
}  // namespace contrib
