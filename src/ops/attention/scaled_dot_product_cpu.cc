// ScaledDotProductAttention for float32.
#include "ops/attention/scaled_dot_product.h"

#include "ops/attention/attend_f32.h"
#include "ops/elementwise.h"

namespace sdx::ops {
namespace {

Status run_scaled_dot_product(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  const ScaledDotProduct a = ScaledDotProduct::of(ctx);
  AttendF32 call{.sizes = a.sizes, .q = head_rows(a.q), .k = head_rows(a.k), .v = head_rows(a.v), .y = head_rows(a.y)};
  call.scale = a.scale;
  call.hides = false;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) {
    const float* row = a.mask->data<float>() + a.mask_index(b, h, i, keys.first);
    if (a.mask_strides[3] != 0) return row;
    std::fill(buffer, buffer + (keys.end - keys.first), *row);
    return static_cast<const float*>(buffer);
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> bias = bias_of;
  if (a.mask != nullptr) call.bias = &bias;
  return attend_f32(ctx, call, ScratchParts(ctx));
}

Dim scratch_bytes(const ScratchFacts& facts) { return ScratchSize(facts).slots(Dim(attend_slot_bytes())).bytes(); }

}  // namespace

SDX_CPU_KERNELS(scaled_dot_product, {.name = "scaled_dot_product_f32",
                                     .can_run = takes<DType::f32>,
                                     .run = run_scaled_dot_product,
                                     .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
