// The float32 functions of elementwise operators, at the SIMD level in force: for kernels that apply several of them to
// a tile (math/elementwise_program.h). Each is defined beside its operator's kernel.
#pragma once

#include "ops/elementwise.h"

namespace sdx::ops {

UnaryF32 abs_f32();
UnaryF32 ceil_f32();
UnaryF32 cos_f32();
UnaryF32 erf_f32();
UnaryF32 exp_f32();
UnaryF32 floor_f32();
UnaryF32 hard_swish_f32();
UnaryF32 log_f32();
UnaryF32 mish_f32();
UnaryF32 neg_f32();
UnaryF32 reciprocal_f32();
UnaryF32 relu_f32();
UnaryF32 round_f32();
UnaryF32 sigmoid_f32();
UnaryF32 sin_f32();
UnaryF32 softplus_f32();
UnaryF32 softsign_f32();
UnaryF32 sqrt_f32();
UnaryF32 tanh_f32();

// With the operator's attributes; clip: with its bounds.
UnaryF32With clip_f32();
UnaryF32With hard_sigmoid_f32();
UnaryF32With leaky_relu_f32();
UnaryF32With swish_f32();
UnaryF32With thresholded_relu_f32();

}  // namespace sdx::ops
