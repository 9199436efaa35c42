// LRN: y = x / (bias + alpha / size * sum of squares) ^ beta, the sum over the channels from
// c - floor((size - 1) / 2) to c + ceil((size - 1) / 2).
#include <cmath>

#include "ops/norm/norm.h"

namespace sdx::ops {
namespace {

Result<Facts> infer_lrn(InferContext& ctx) {
  const int64_t size = ctx.attr_int("size", 0);
  if (size <= 0) return ctx.fail("attribute size is {}, not positive", size);
  if (ctx.has_rank(0) && ctx.rank(0) < 2) return ctx.fail("x has rank {}, below 2", ctx.rank(0));
  return infer_same_as_first(ctx);
}

Status lrn_reference(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const int64_t size = ctx.attr_int("size", 1), channels = x.dim(1);
  const double alpha = ctx.attr_float("alpha", 1e-4F), beta = ctx.attr_float("beta", 0.75F);
  const double bias = ctx.attr_float("bias", 1), factor = alpha / static_cast<double>(size);
  const int64_t before = (size - 1) / 2, after = size - 1 - before;
  const int64_t inner = x.count() / x.dim(0) / channels;
  for (int64_t i = 0; i < x.count(); ++i) {
    const int64_t channel = i / inner % channels;
    const int64_t first = std::max<int64_t>(0, channel - before);
    const int64_t last = channel + std::min(channels - 1 - channel, after);
    double sum = 0;
    for (int64_t c = first; c <= last; ++c) {
      const double v = load_double(x, i + (c - channel) * inner);
      sum += v * v;
    }
    store_double(ctx.output(0), i, load_double(x, i) / std::pow(bias + factor * sum, beta));
    if (i % 65536 == 0) SDX_TRY(ctx.check_cancelled());
  }
  return {};
}

}  // namespace

SDX_OP(lrn) = {
    .name = "LRN",
    .since = 13,
    .infer = infer_lrn,
    .reference = lrn_reference,
    .records_constraints = true,
    .tolerance = relative(1e-5),
};

}  // namespace sdx::ops
