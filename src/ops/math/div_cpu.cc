// Div for float32, for 16-bit floats through it, for the integers that are divided often and float64.
#include "ops/math/arithmetic.h"
#include "ops/native_loops.h"

namespace sdx::ops {
namespace {

Status run_div_native(KernelContext& ctx) {
  SDX_TRY(check_divisor(ctx.input(1), ctx.output(0).count()));
  return run_native<Native::divide>(ctx);
}

}  // namespace

SDX_CPU_KERNELS(div,
                {.name = "div",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, divide_f32()); }},
                {.name = "div_native", .can_run = takes_divided_numbers, .run = run_div_native});

}  // namespace sdx::ops
