// Mod for float32, for 16-bit floats through it, for the integers that are divided often and float64.
#include "ops/math/arithmetic.h"
#include "ops/native_loops.h"

namespace sdx::ops {
namespace {

Status run_mod(KernelContext& ctx) {
  SDX_TRY(check_divisor(ctx.input(1), ctx.output(0).count()));
  if (ctx.attr_int("fmod", 0) != 0) return run_native<Native::truncate_modulo>(ctx);
  return run_native<Native::floor_modulo>(ctx);
}

}  // namespace

SDX_CPU_KERNELS(mod,
                {.name = "mod",
                 .can_run = takes_floats,
                 .run = [](KernelContext& ctx) { return run_float_binary(ctx, modulo_f32(ctx.attr_int("fmod", 0))); }},
                {.name = "mod_native", .can_run = takes_divided_numbers, .run = run_mod});

}  // namespace sdx::ops
