// Bernoulli: 1 with probability x, else 0. One uniform number an element: 1 where it is above 1 - x for x up to a half,
// and at or below x beyond, as numpy's binomial does.
#include "base/element.h"
#include "ops/random/generator.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_bernoulli(InferContext& ctx) {
  const bool given = ctx.attributes().has("dtype");
  const DType type = given ? dtype_from_onnx(ctx.attr_int("dtype", 1)) : ctx.dtype(0);
  if (given && !is_floating(type) && !is_integer(type) && type != DType::boolean)
    return ctx.fail("attribute dtype is {}, not a number type", ctx.attr_int("dtype", 1));
  return tensor_fact(type, ctx.input(0).shape);
}

Status bernoulli_reference(KernelContext& ctx) {
  RandomGenerator random(ctx);
  const Tensor& x = ctx.input(0);
  for (int64_t i = 0; i < x.count(); ++i) {
    const double p = load_double(x, i);
    if (!(p >= 0 && p <= 1)) return invalid_argument("probability {} is outside [0, 1]", p);
    bool one = false;
    if (p > 0) {
      const double u = random.uniform();
      one = p <= 0.5 ? u > 1 - p : u <= p;
    }
    store_double(ctx.output(0), i, one ? 1 : 0);
  }
  return {};
}

}  // namespace

SDX_OP(bernoulli) = {
    .name = "Bernoulli",
    .since = 22,
    .infer = infer_bernoulli,
    .reference = bernoulli_reference,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
