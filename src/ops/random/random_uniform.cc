// RandomUniform: numbers spread evenly over [low, high).
#include "ops/random/generator.h"

namespace sdx::ops {

SDX_OP(random_uniform) = {
    .name = "RandomUniform",
    .since = 22,
    .infer = infer_random,
    .reference = fill_uniform,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
