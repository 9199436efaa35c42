// RandomNormalLike: normally distributed numbers with a mean and a deviation (scale), in the shape of the input.
#include "ops/random/generator.h"

namespace sdx::ops {

SDX_OP(random_normal_like) = {
    .name = "RandomNormalLike",
    .since = 22,
    .infer = infer_random_like,
    .reference = fill_normal,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
