// ActivatedGroupNormalization for float32.
#include "ops/elementwise.h"
#include "ops/norm/group_norm.h"

namespace sdx::ops {
namespace {

Status run_activated_group_normalization(KernelContext& ctx) {
  SDX_ASSIGN(const FusedActivation activation, activation_of(ctx.attributes()));
  return run_group_norm_f32(ctx, activation);
}

}  // namespace

SDX_CPU_KERNELS(activated_group_normalization, {.name = "activated_group_normalization_f32",
                                                .can_run = takes<DType::f32>,
                                                .run = run_activated_group_normalization});

}  // namespace sdx::ops
