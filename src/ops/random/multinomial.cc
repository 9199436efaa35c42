// Multinomial: draws classes with probability e^x / sum(e^x) for each row of x. One uniform number a sample, looked up
// in the running sum of the probabilities.
#include <algorithm>
#include <cmath>

#include "base/element.h"
#include "ops/random/generator.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_multinomial(InferContext& ctx) {
  const int64_t samples = ctx.attr_int("sample_size", 1);
  const DType type = dtype_from_onnx(ctx.attr_int("dtype", 6));
  if (samples < 0) return ctx.fail("attribute sample_size is {}, negative", samples);
  if (type != DType::i32 && type != DType::i64)
    return ctx.fail("attribute dtype is {}; 6 (int32) or 7 (int64) is allowed", ctx.attr_int("dtype", 6));
  if (!ctx.has_rank(0)) return tensor_fact(type, SymShape{ctx.unknown_dim(), Dim(samples)});
  if (ctx.rank(0) != 2) return ctx.fail("input has rank {}, not 2", ctx.rank(0));
  if (ctx.dim(0, 1).is(0)) return ctx.fail("there is no class to draw");
  ctx.assume({Constraint::Kind::at_least, ctx.dim(0, 1), Dim(1)});
  return tensor_fact(type, SymShape{ctx.dim(0, 0), Dim(samples)});
}

Status multinomial_reference(KernelContext& ctx) {
  RandomGenerator random(ctx);
  const Tensor& x = ctx.input(0);
  const int64_t classes = x.dim(1), samples = ctx.output(0).dim(1);
  std::vector<double> sums(static_cast<size_t>(classes));
  for (int64_t row = 0; row < x.dim(0); ++row) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < classes; ++i) top = std::max(top, load_double(x, row * classes + i));
    for (int64_t i = 0; i < classes; ++i)
      sums[static_cast<size_t>(i)] = sum += std::exp(load_double(x, row * classes + i) - top);
    if (!(sum > 0) || std::isinf(sum)) return invalid_argument("row {} holds no probabilities", row);
    for (int64_t i = 0; i < samples; ++i) {
      const auto found = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sum);
      store_i64(ctx.output(0), row * samples + i, std::min<int64_t>(found - sums.begin(), classes - 1));
    }
  }
  return {};
}

}  // namespace

SDX_OP(multinomial) = {
    .name = "Multinomial",
    .since = 22,
    .infer = infer_multinomial,
    .reference = multinomial_reference,
    .records_constraints = true,
    .draws_random = true,
};

}  // namespace sdx::ops
