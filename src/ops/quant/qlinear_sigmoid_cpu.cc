// QLinearSigmoid through a table of its codes.
#include <cmath>

#include "ops/quant/qlinear.h"

namespace sdx::ops {

SDX_CPU_KERNELS(qlinear_sigmoid, {.name = "qlinear_sigmoid_8",
                                  .can_run = [](const NodeFacts&) { return yes(); },
                                  .run =
                                      [](KernelContext& ctx) {
                                        return qlinear_unary_reference(ctx,
                                                                       [](double x) { return 1 / (1 + std::exp(-x)); });
                                      }});

}  // namespace sdx::ops
