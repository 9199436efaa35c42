// Col2Im for images of one to three axes in float32: plane by plane.
#include <algorithm>

#include "ops/conv/add_parts.h"
#include "ops/elementwise.h"
#include "ops/image/col2im.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Status run_col2im(KernelContext& ctx) {
  SDX_ASSIGN(const Windows windows, col2im_windows(ctx));
  if (windows.axes() < 1 || windows.axes() > 3) return col2im_reference(ctx);
  Tensor& y = ctx.output(0);
  const int64_t planes = y.dim(0) * y.dim(1), plane = count_of(windows.in);
  const int64_t parts = count_of(windows.kernel) * count_of(windows.out);
  const float* x = ctx.input(0).data<float>();
  float* to = y.data<float>();
  const Im2col sizes = make_im2col(windows);
  const AddParts add = add_parts();
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(1, parts));
  return parallel_ranges(ctx, planes, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::fill_n(to + i * plane, plane, 0.0f);
      if (plane > 0 && parts > 0) add(sizes, x + i * parts, to + i * plane);
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(col2im, {.name = "col2im_f32", .can_run = takes<DType::f32>, .run = run_col2im},
                {.name = "col2im_16_bits",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_col2im); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
