// QLinearAdd with broadcasting.
#include "ops/elementwise.h"
#include "ops/quant/qlinear_binary_kernels.h"

namespace sdx::ops {
namespace {

Status run_qlinear_add(KernelContext& ctx) {
  const Tensor &a = ctx.input(0), &b = ctx.input(3);
  Tensor& y = ctx.output(0);
  if (y.count() == 0) return {};
  SDX_ASSIGN(const QlinearScales scales, qlinear_binary_scales(ctx));
  const QlinearSum sum = qlinear_sum(scales);
  const Tensor &first = sum.swaps ? b : a, &second = sum.swaps ? a : b;
  const BroadcastRows rows(y.shape(), first.shape(), second.shape());
  const auto kernel = add_codes_kernel();
  return parallel_pieces(ctx, rows, [&](const auto& at, int64_t y_at, size_t count) {
    kernel(sum, {.a = first.data<uint8_t>() + at[0],
                 .b = second.data<uint8_t>() + at[1],
                 .a_step = rows.step(0),
                 .b_step = rows.step(1),
                 .is_signed = y.dtype() == DType::i8,
                 .y = y.data<uint8_t>() + y_at,
                 .count = count});
  });
}

}  // namespace

SDX_CPU_KERNELS(qlinear_add, {.name = "qlinear_add_8", .can_run = takes_bytes, .run = run_qlinear_add});

}  // namespace sdx::ops
