// QLinearAdd with broadcasting.
#include "ops/quant/qlinear_binary_kernels.h"

namespace sdx::ops {
namespace {

Status run_qlinear_add(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const QlinearScales scales, qlinear_binary_scales(ctx));
  const QlinearSum sum = qlinear_sum(scales);
  const auto kernel = add_codes_kernel();
  return parallel_codes(ctx, ctx.input(sum.swaps ? 3 : 0), ctx.input(sum.swaps ? 0 : 3),
                        [&](const CodeRows& rows) { kernel(sum, rows); });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_add, {.name = "qlinear_add_8", .can_run = takes_bytes, .run = run_qlinear_add});

}  // namespace sdx::ops
