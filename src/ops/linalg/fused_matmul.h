// The attributes of FusedMatMul.
#pragma once

#include "ops/linalg/matmul.h"

namespace sdx::ops {

MatMulForm fused_matmul_form(const Attributes& attributes);

}  // namespace sdx::ops
