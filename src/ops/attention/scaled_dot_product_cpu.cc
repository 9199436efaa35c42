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
  call.softcap = a.softcap;
  call.hides = false;
  call.zero_rows = a.zero_rows;
  const auto bias_of = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* buffer) {
    const float* row = a.mask.tensor->data<float>() + a.mask.index(b, h, i, keys.first);
    if (a.mask.strides[3] != 0) return row;
    std::fill(buffer, buffer + (keys.end - keys.first), *row);
    return static_cast<const float*>(buffer);
  };
  const FunctionRef<const float*(int64_t, int64_t, int64_t, KeyRange, float*)> bias = bias_of;
  if (a.mask.tensor != nullptr) call.bias = &bias;
  const auto settled = [&](int64_t b, int64_t h, int64_t i, KeyRange keys, float* scores) {
    const bool* row = a.choice.tensor->data<bool>() + a.choice.index(b, h, i, keys.first);
    const int64_t step = a.choice.strides[3];
    for (int64_t j = 0; j < keys.end - keys.first; ++j)
      scores[j] = row[j * step] == a.hidden_where ? a.hidden_score : scores[j] * a.scale;
  };
  const FunctionRef<void(int64_t, int64_t, int64_t, KeyRange, float*)> settle = settled;
  if (a.choice.tensor != nullptr) call.settle = &settle;
  return attend_f32(ctx, call, ScratchParts(ctx));
}

Dim scratch_bytes(const ScratchFacts& facts) { return ScratchSize(facts).slots(Dim(attend_slot_bytes())).bytes(); }

}  // namespace

SDX_CPU_KERNELS(scaled_dot_product, {.name = "scaled_dot_product_f32",
                                     .can_run = takes<DType::f32>,
                                     .run = run_scaled_dot_product,
                                     .scratch_bytes = scratch_bytes});

}  // namespace sdx::ops
