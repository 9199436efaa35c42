// RandomNormal: normally distributed numbers with a mean and a deviation (scale).
#include "ops/random/generator.h"

namespace sdx::ops {

SDX_OP(random_normal) = {
    .name = "RandomNormal",
    .since = 22,
    .infer = infer_random,
    .reference = fill_normal,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
