// RotateHalf for float32.
#include "base/simd_targets.h"  // first

#include "kernel/simd.h"
#include "ops/attention/rotate_half.h"
#include "ops/elementwise.h"

HWY_BEFORE_NAMESPACE();
namespace sdx::HWY_NAMESPACE {
namespace {

void rotate_halves(const float* x, const float* c, const float* s, float* y, size_t size) {
  const hn::ScalableTag<float> d;
  const size_t half = size / 2;
  for (size_t i = 0; i < half; i += hn::Lanes(d)) {
    const size_t n = half - i;
    const auto x1 = load_n(d, x + i, n), x2 = load_n(d, x + half + i, n);
    const auto y1 = hn::NegMulAdd(x2, load_n(d, s + i, n), hn::Mul(x1, load_n(d, c + i, n)));
    const auto y2 = hn::MulAdd(x1, load_n(d, s + half + i, n), hn::Mul(x2, load_n(d, c + half + i, n)));
    store_n(y1, d, y + i, n);
    store_n(y2, d, y + half + i, n);
  }
}

void rotate_neighbours(const float* x, const float* c, const float* s, float* y, size_t size) {
  for (size_t i = 0; i + 1 < size; i += 2) {
    const float x1 = x[i], x2 = x[i + 1];
    y[i] = x1 * c[i] - x2 * s[i];
    y[i + 1] = x2 * c[i + 1] + x1 * s[i + 1];
  }
}

}  // namespace
}  // namespace sdx::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sdx::ops {
namespace {

Status run_rotate_half(KernelContext& ctx) {
  const RotateHalf a = RotateHalf::of(ctx);
  if (a.rows() == 0 || a.size == 0) return {};
  const auto rotate = a.interleaved ? SDX_DISPATCH(rotate_neighbours) : SDX_DISPATCH(rotate_halves);
  const float *x = ctx.input(0).data<float>(), *c = ctx.input(1).data<float>(), *s = ctx.input(2).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t grain = std::max<int64_t>(1, 16384 / a.size);
  return parallel_ranges(ctx, a.rows(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      rotate(x + row * a.size, c + a.table_row(a.cos_strides, row), s + a.table_row(a.sin_strides, row),
             y + row * a.size, static_cast<size_t>(a.size));
  });
}

}  // namespace

SDX_CPU_KERNELS(rotate_half, {.name = "rotate_half_f32", .can_run = takes<DType::f32>, .run = run_rotate_half});

}  // namespace sdx::ops
#endif
