// QLinearLeakyRelu through a table of its codes.
#include "ops/quant/qlinear.h"

namespace sdx::ops {

SDX_CPU_KERNELS(qlinear_leaky_relu, {.name = "qlinear_leaky_relu_8",
                                     .can_run = [](const NodeFacts&) { return yes(); },
                                     .run =
                                         [](KernelContext& ctx) {
                                           const double alpha = ctx.attr_float("alpha", 0.01f);
                                           return qlinear_unary_reference(
                                               ctx, [alpha](double x) { return x >= 0 ? x : alpha * x; });
                                         }});

}  // namespace sdx::ops
