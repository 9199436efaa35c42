// Sum for float32, and for two operands of 16-bit floats.
#include "ops/math/arithmetic.h"
#include "ops/math/variadic.h"

namespace sdx::ops {

SDX_CPU_KERNELS(sum, {.name = "sum", .can_run = takes_variadic_floats, .run = [](KernelContext& ctx) {
                        return run_variadic(ctx, plain_binary<float, float, std::plus<float>>);
                      }});

}  // namespace sdx::ops
