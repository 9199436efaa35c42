// QLinearMul with broadcasting.
#include "ops/quant/qlinear_binary_kernels.h"

namespace sdx::ops {
namespace {

Status run_qlinear_mul(KernelContext& ctx) {
  if (ctx.output(0).count() == 0) return {};
  SDX_ASSIGN(const QlinearScales scales, qlinear_binary_scales(ctx));
  const QlinearProduct product{.a_zero = static_cast<float>(scales.a.zero),
                               .b_zero = static_cast<float>(scales.b.zero),
                               .y_zero = static_cast<float>(scales.y.zero),
                               .ratio = scales.a.scale * scales.b.scale / scales.y.scale};
  const auto kernel = multiply_codes_kernel();
  return parallel_codes(ctx, ctx.input(0), ctx.input(3), [&](const CodeRows& rows) { kernel(product, rows); });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_mul, {.name = "qlinear_mul_8", .can_run = takes_bytes, .run = run_qlinear_mul});

}  // namespace sdx::ops
