// HammingWindow: see fill_window.
#include "ops/signal/signal.h"

namespace sdx::ops {

SDX_OP(hamming_window) = {
    .name = "HammingWindow",
    .since = 17,
    .infer = infer_window,
    .reference = [](KernelContext& ctx) { return fill_window(ctx, 25.0 / 46, 21.0 / 46, 0); },
    .records_constraints = true,
    .needs_values = input_bit(0),
    .tolerance = relative(1e-6),
};

}  // namespace sdx::ops
