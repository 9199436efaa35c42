// Div for float32, for 16-bit floats through it, and for int32 and int64.
#include "ops/math/arithmetic.h"

namespace sdx::ops {
namespace {

Status run_div_int(KernelContext& ctx) {
  SDX_TRY(check_divisor(ctx.input(1), ctx.output(0).count()));
  return run_integer_binary<TruncatingDivide>(ctx);
}

}  // namespace

SDX_CPU_KERNELS(div,
                {.name = "div",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, divide_f32()); }},
                {.name = "div_int", .can_run = takes_i32_i64, .run = run_div_int});

}  // namespace sdx::ops
