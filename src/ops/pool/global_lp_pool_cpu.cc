// GlobalLpPool for float32, and 16-bit floats through it; p is 1 or 2.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/reduce/row_sums.h"
#include "ops/through_f32.h"

namespace sdx::ops {
namespace {

Verdict takes_first_norms(const NodeFacts& facts) { return facts.attr_int("p", 2) <= 2 ? yes() : no("only p 1 and 2"); }

Status run_f32(KernelContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  const int64_t count = count_range(shape, 2, shape.size());
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const bool squares = ctx.attr_int("p", 2) == 2;
  const RowSumsF32 sums = row_sums_f32();
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / std::max<int64_t>(count, 1));
  return parallel_ranges(ctx, ctx.output(0).count(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const double sum = (squares ? sums.squares : sums.magnitudes)(x + plane * count, static_cast<size_t>(count));
      y[plane] = static_cast<float>(squares ? std::sqrt(sum) : sum);
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(global_lp_pool,
                {.name = "global_lp_pool_f32",
                 .can_run =
                     [](const NodeFacts& facts) {
                       return facts.dtype(0) == DType::f32 ? takes_first_norms(facts) : no("only f32");
                     },
                 .run = run_f32},
                {.name = "global_lp_pool_half",
                 .can_run =
                     [](const NodeFacts& facts) {
                       const Verdict verdict = takes_half(facts);
                       return verdict.accepted() ? takes_first_norms(facts) : verdict;
                     },
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
