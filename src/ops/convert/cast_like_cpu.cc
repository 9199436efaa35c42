// CastLike between native types and 16-bit floats.
#include "ops/convert/cast_elements.h"

namespace sdx::ops {

SDX_CPU_KERNELS(cast_like, {.name = "cast_like",
                            .can_run = [](const NodeFacts& facts) { return can_cast(facts.dtype(0), facts.dtype(1)); },
                            .run = run_cast});

}  // namespace sdx::ops
