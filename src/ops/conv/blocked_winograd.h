// Winograd's F(4x4, 3x3) over blocked channels, for 3x3 windows without stride and dilation. The weights stay as the
// direct convolution has them: a chunk at a time is transformed next to the processor and serves many tiles.
#pragma once

#include "ops/conv/blocked_weights.h"

namespace sdx::ops {

// Whether it can be computed so, and whether that is worth it: by the sizes of one image, where they are known.
Verdict can_transform(const NodeFacts& facts);
Verdict can_run_winograd(const NodeFacts& facts);
Result<std::unique_ptr<KernelState>> prepare_winograd(const NodeFacts& facts);
Dim winograd_scratch(const ScratchFacts& facts);
Status run_winograd(KernelContext& ctx);     // or as the direct convolution, where it is not worth it
Status run_transformed(KernelContext& ctx);  // in any case

}  // namespace sdx::ops
