// Min for float32, and for two operands of 16-bit floats or 32 and 64-bit integers.
#include "ops/math/arithmetic.h"
#include "ops/math/variadic.h"

namespace sdx::ops {
namespace {

struct Fold {
  template <typename T>
  constexpr T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

Verdict takes_two_integers(const NodeFacts& facts) {
  return facts.input_count() == 2 ? takes_i32_i64(facts) : no("only two operands");
}

}  // namespace

SDX_CPU_KERNELS(min,
                {.name = "min",
                 .can_run = takes_variadic_floats,
                 .run = [](KernelContext& ctx) { return run_variadic(ctx, minimum_f32()); }},
                {.name = "min_int", .can_run = takes_two_integers, .run = run_integer_binary<Fold>});

}  // namespace sdx::ops
