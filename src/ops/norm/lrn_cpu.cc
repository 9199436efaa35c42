// LRN for float32, and 16-bit floats through it.
#include "base/simd_targets.h"  // first

#include <cmath>

#include "ops/elementwise.h"
#include "ops/norm/lrn.h"
#include "ops/through_f32.h"
#include "ops/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

using ops::LrnPiece;

// s^-beta: the usual exponents by roots, the others by e^(-beta log s).
template <class D, class V>
HWY_INLINE V power_of(D d, V s, float beta) {
  const V one = hn::Set(d, 1.0f);
  if (beta == 0.75f) {
    const V root = hn::Sqrt(s);
    return hn::Div(one, hn::Mul(root, hn::Sqrt(root)));
  }
  if (beta == 0.5f) return hn::Div(one, hn::Sqrt(s));
  if (beta == 1.0f) return hn::Div(one, s);
  return exp_of(d, hn::Mul(hn::Set(d, -beta), log_of(d, s)));
}

// In double, for values at the ends of float's range.
void lrn_element(const LrnPiece& piece, const float* x, int64_t c, int64_t first, int64_t last, float* y) {
  double sum = 0;
  for (int64_t k = first; k <= last; ++k) {
    const auto v = static_cast<double>(x[k * piece.step]);
    sum += v * v;
  }
  const double scale = static_cast<double>(piece.bias) + static_cast<double>(piece.factor) * sum;
  y[c * piece.step] =
      static_cast<float>(static_cast<double>(x[c * piece.step]) / std::pow(scale, static_cast<double>(piece.beta)));
}

// y[c] = x[c] * (bias + factor * sum of x[k]^2 for k from c - before to c + after) ^ -beta
void lrn_piece(const LrnPiece& piece, const float* x, float* y) {
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, piece.factor), bias = hn::Set(d, piece.bias);
  for (int64_t i = 0; i < piece.columns; i += static_cast<int64_t>(hn::Lanes(d))) {
    const auto n = static_cast<size_t>(piece.columns - i);
    for (int64_t c = 0; c < piece.channels; ++c) {
      const int64_t first = HWY_MAX(int64_t{0}, c - piece.before);
      const int64_t last = c + HWY_MIN(piece.channels - 1 - c, piece.after);
      auto sum = hn::Zero(d);
      for (int64_t k = first; k <= last; ++k) {
        const auto v = load_n(d, x + k * piece.step + i, n);
        sum = hn::MulAdd(v, v, sum);
      }
      const auto scale = hn::MulAdd(factor, sum, bias);
      const auto inside = hn::And(hn::Gt(scale, hn::Set(d, 1e-30f)), hn::Lt(scale, hn::Set(d, 1e38f)));
      if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Or(inside, hn::Not(hn::FirstN(d, n)))))) {
        for (int64_t k = i; k < i + static_cast<int64_t>(HWY_MIN(n, hn::Lanes(d))); ++k)
          lrn_element(piece, x + k, c, first, last, y + k);
        continue;
      }
      const auto power = power_of(d, scale, piece.beta);
      store_n(hn::Mul(load_n(d, x + c * piece.step + i, n), power), d, y + c * piece.step + i, n);
    }
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_lrn_f32(KernelContext& ctx) {
  const Tensor& x = ctx.input(0);
  if (x.count() == 0) return {};
  const int64_t size = ctx.attr_int("size", 1), channels = x.dim(1), inner = x.count() / x.dim(0) / channels;
  LrnPiece piece = {};
  piece.channels = channels;
  piece.step = inner;
  piece.columns = 64;
  piece.before = (size - 1) / 2;
  piece.after = size - 1 - piece.before;
  piece.factor = ctx.attr_float("alpha", 1e-4F) / static_cast<float>(size);
  piece.bias = ctx.attr_float("bias", 1);
  piece.beta = ctx.attr_float("beta", 0.75F);
  const auto run = SDX_DISPATCH(lrn_piece);
  const int64_t tiles = (inner + piece.columns - 1) / piece.columns;
  const int64_t grain = std::max<int64_t>(1, kElementwiseGrain / (channels * std::min(inner, piece.columns)));
  return parallel_ranges(ctx, x.dim(0) * tiles, grain, [&](int64_t begin, int64_t end) {
    LrnPiece own = piece;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % tiles * piece.columns, at = i / tiles * channels * inner + column;
      own.columns = std::min(piece.columns, inner - column);
      run(own, x.data<float>() + at, ctx.output(0).data<float>() + at);
    }
  });
}

}  // namespace

SDX_CPU_KERNELS(lrn, {.name = "lrn_f32", .can_run = takes<DType::f32>, .run = run_lrn_f32},
                {.name = "lrn_half",
                 .can_run = takes_half,
                 .run = [](KernelContext& ctx) { return run_through_f32(ctx, run_lrn_f32); },
                 .scratch_bytes = [](const ScratchFacts& facts) { return through_f32_scratch(facts); }});

}  // namespace sdx::ops
#endif
