#include "ops/testing/op_case.h"

OP_CASES(Identity, {"floats", {f32({2}, {1, kNaN})}, {f32({2}, {1, kNaN})}},
         {"strings", {str({1}, {"a"})}, {str({1}, {"a"})}},
         {"sequence",
          {sdx::Value(sdx::Sequence{sdx::tensor_type(DType::f32), {f32({1}, {1}), f32({2}, {2, 3})}})},
          {sdx::Value(sdx::Sequence{sdx::tensor_type(DType::f32), {f32({1}, {1}), f32({2}, {2, 3})}})}});
