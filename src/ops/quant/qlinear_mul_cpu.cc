// QLinearMul with broadcasting.
#include "ops/elementwise.h"
#include "ops/quant/qlinear_binary_kernels.h"

namespace sdx::ops {
namespace {

Status run_qlinear_mul(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(3);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const QlinearScales scales, qlinear_binary_scales(ctx));
  const QlinearProduct product{.a_zero = static_cast<float>(scales.a.zero),
                               .b_zero = static_cast<float>(scales.b.zero),
                               .y_zero = static_cast<float>(scales.y.zero),
                               .ratio = scales.a.scale * scales.b.scale / scales.y.scale};
  const BroadcastRows rows(y.shape(), a.shape(), b.shape());
  const auto kernel = multiply_codes_kernel();
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t count) {
    kernel(product, {.a = a.data<uint8_t>() + at[0],
                     .b = b.data<uint8_t>() + at[1],
                     .a_step = rows.step(0),
                     .b_step = rows.step(1),
                     .is_signed = y.dtype() == DType::i8,
                     .y = y.data<uint8_t>() + y_at,
                     .count = count});
  });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_mul, {.name = "qlinear_mul_8", .can_run = takes_bytes, .run = run_qlinear_mul});

}  // namespace sdx::ops
