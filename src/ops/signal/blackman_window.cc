// BlackmanWindow: see fill_window.
#include "ops/signal/signal.h"

namespace sdx::ops {

SDX_OP(blackman_window) = {
    .name = "BlackmanWindow",
    .since = 17,
    .infer = infer_window,
    .reference = [](KernelContext& ctx) { return fill_window(ctx, 0.42, 0.5, 0.08); },
    .records_constraints = true,
    .needs_values = input_bit(0),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
