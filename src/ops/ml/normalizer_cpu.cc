// Normalizer of float32: divisors in double, rows divided in float32 where the divisor is an ordinary one.
#include "base/simd_targets.h"  // first

#include <cmath>
#include <limits>

#include "ops/ml/ml_common.h"
#include "ops/ml/normalizer.h"
#include "ops/reduce/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

double sum_of_magnitudes(const float* x, size_t count) { return sum_row(x, count, Magnitude()); }
double sum_of_squares(const float* x, size_t count) { return sum_row(x, count, Squared()); }

// NaN is never the largest; of nothing it is -inf.
double largest(const float* x, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto best = hn::Set(d, -std::numeric_limits<float>::infinity());
  size_t i = 0;
  const auto better = [&](auto v) HWY_ATTR { best = hn::IfThenElse(hn::Gt(v, best), v, best); };
  for (; i + lanes <= count; i += lanes) better(hn::LoadU(d, x + i));
  if (i < count) better(hn::IfThenElse(hn::FirstN(d, count - i), load_n(d, x + i, count - i), best));
  return hn::GetLane(hn::MaxOfLanes(d, best));
}

void divide(const float* x, float divisor, float* y, size_t count) {
  const hn::ScalableTag<float> d;
  const auto by = hn::Set(d, divisor);
  for (size_t i = 0; i < count; i += hn::Lanes(d))
    store_n(hn::Div(load_n(d, x + i, count - i), by), d, y + i, count - i);
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_normalizer(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  SDX_ASSIGN(const Norm norm, norm_of(ctx.attributes()));
  SDX_ASSIGN(const FeatureRows form, feature_rows(x));
  const auto divisor_of = norm == Norm::max  ? SDX_DISPATCH(largest)
                          : norm == Norm::l1 ? SDX_DISPATCH(sum_of_magnitudes)
                                             : SDX_DISPATCH(sum_of_squares);
  const auto divide = SDX_DISPATCH(divide);
  const auto features = static_cast<size_t>(form.features);
  return parallel_ranges(ctx, form.rows, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float* from = x.data<float>() + row * form.features;
      float* to = ctx.output(0).data<float>() + row * form.features;
      double divisor = divisor_of(from, features);
      if (norm == Norm::l2) divisor = std::sqrt(divisor);
      if (divisor == 0) divisor = 1;
      const double magnitude = std::fabs(divisor);
      if (magnitude >= std::numeric_limits<float>::min() && magnitude <= std::numeric_limits<float>::max()) {
        divide(from, static_cast<float>(divisor), to, features);
      } else {
        for (size_t i = 0; i < features; ++i) to[i] = static_cast<float>(from[i] / divisor);
      }
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(normalizer,
                {.name = "normalizer_f32",
                 .can_run =
                     [](const NodeFacts& facts) { return facts.dtype(0) == DType::f32 ? yes() : no("only f32"); },
                 .run = run_normalizer});

}  // namespace sdx::ops
#endif
