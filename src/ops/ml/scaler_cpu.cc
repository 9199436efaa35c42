// Scaler of float32.
#include "ops/elementwise.h"
#include "ops/ml/scaler.h"

namespace sdx::ops {
namespace {

void scale_row(const float* x, const ScalerLists& lists, float* y, size_t features) {
  const float *offset = lists.offset.data(), *scale = lists.scale.data();
  if (lists.offset.size() == features && lists.scale.size() == features) {
    for (size_t f = 0; f < features; ++f) y[f] = (x[f] - offset[f]) * scale[f];
  } else if (lists.scale.size() == features) {
    for (size_t f = 0; f < features; ++f) y[f] = (x[f] - offset[0]) * scale[f];
  } else if (lists.offset.size() == features) {
    for (size_t f = 0; f < features; ++f) y[f] = (x[f] - offset[f]) * scale[0];
  } else {
    for (size_t f = 0; f < features; ++f) y[f] = (x[f] - offset[0]) * scale[0];
  }
}

Status run_scaler(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const ScalerLists lists, scaler_lists(ctx));
  if (x.count() == 0) return {};
  const int64_t features = x.rank() == 0 ? 1 : x.dim(x.rank() - 1);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / features);
  return parallel_ranges(ctx, x.count() / features, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      scale_row(x.data<float>() + row * features, lists, ctx.output(0).data<float>() + row * features,
                static_cast<size_t>(features));
  });
}

}  // namespace

SDX_CPU_KERNELS(scaler, {.name = "scaler_f32", .can_run = takes<DType::f32>, .run = run_scaler});

}  // namespace sdx::ops
