// Hardmax for float32, and 16-bit floats through it.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/norm/softmax_family.h"
#include "ops/reduce/arg_reduction.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_hardmax_f32(KernelContext& ctx) {
  if (ctx.input(0).count() == 0) return {};
  const AxisView view = softmax_view(ctx);
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const ArgSteps<float> steps = arg_max_steps();
  const int64_t tiles = (view.inner + kAxisColumns - 1) / kAxisColumns;
  const int64_t work = view.size * std::min(view.inner, kAxisColumns);
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / work);
  return parallel_ranges(ctx, view.outer * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % tiles * kAxisColumns, at = i / tiles * view.size * view.inner + column;
      const int64_t width = std::min(kAxisColumns, view.inner - column);
      int64_t best[kAxisColumns];
      if (view.inner == 1) {
        best[0] = steps.row(x + at, static_cast<size_t>(view.size), false);
      } else {
        steps.columns(x + at, {view.size, view.inner, 0, width}, false, best);
      }
      if (width == view.inner) {
        std::fill_n(y + at, view.size * view.inner, 0.0f);
      } else {
        for (int64_t k = 0; k < view.size; ++k) std::fill_n(y + at + k * view.inner, width, 0.0f);
      }
      for (int64_t c = 0; c < width; ++c) y[at + best[c] * view.inner + c] = 1;
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(hardmax, {.name = "hardmax_f32", .can_run = takes<DType::f32>, .run = run_hardmax_f32},
                {.name = "hardmax_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_hardmax_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
