// RandomUniformLike: numbers spread evenly over [low, high), in the shape of the input.
#include "ops/random/generator.h"

namespace sdx::ops {

SDX_OP(random_uniform_like) = {
    .name = "RandomUniformLike",
    .since = 22,
    .infer = infer_random_like,
    .reference = fill_uniform,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
