// DynamicQuantizeLinear for float32.
#include "ops/elementwise.h"
#include "ops/quant/dynamic_quantization.h"
#include "ops/quant/quantize_kernels.h"

namespace sdx::ops {
namespace {

Status run_dynamic_quantize(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  DynamicScale to;
  SDX_ASSIGN(to, dynamic_scale_of(ctx, x.data<float>(), x.count()));
  if (ctx.wants_output(1)) store_double(ctx.output(1), 0, to.scale);
  if (ctx.wants_output(2)) store_i64(ctx.output(2), 0, to.zero_point);
  if (!ctx.wants_output(0)) return {};
  return quantize_dynamic(ctx, x.data<float>(), x.count(), to, ctx.output(0).data<uint8_t>());
}

}  // namespace

SDX_CPU_KERNELS(dynamic_quantize_linear,
                {.name = "dynamic_quantize_linear_f32", .can_run = takes<DType::f32>, .run = run_dynamic_quantize});

}  // namespace sdx::ops
