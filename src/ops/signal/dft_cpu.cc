// DFT of complex float32 signals, whole spectra, in single precision. What MixedRadix does not take goes through
// double.
#include "ops/elementwise.h"
#include "ops/signal/dft.h"
#include "ops/signal/mixed_radix.h"

namespace sdx::ops {
namespace {

constexpr int64_t kGrain = 1 << 14;     // points in one task
constexpr int64_t kLongLine = 1 << 15;  // its buffers alone fill a cache

template <int64_t kLines>
void transform_block(const DftRun& run, const MixedRadix& fft, const float* x, float* y, int64_t first, int64_t lines,
                     float* buffer) {
  const size_t size = static_cast<size_t>(run.length * kLines);
  float *re = buffer, *im = buffer + size;
  std::fill_n(buffer, 2 * size, 0.0f);
  for (int64_t i = 0; i < lines; ++i) {
    const float* from = x + 2 * run.in.first_of(first + i);
    for (int64_t k = 0; k < run.used; ++k) {
      re[k * kLines + i] = from[2 * k * run.in.inner];
      im[k * kLines + i] = from[2 * k * run.in.inner + 1];
    }
  }
  fft.run<static_cast<size_t>(kLines)>(re, im, buffer + 2 * size, buffer + 3 * size);
  for (int64_t i = 0; i < lines; ++i) {
    float* to = y + 2 * run.out.first_of(first + i);
    for (int64_t k = 0; k < run.out.size; ++k) {
      to[2 * k * run.out.inner] = re[k * kLines + i];
      to[2 * k * run.out.inner + 1] = im[k * kLines + i];
    }
  }
}

template <int64_t kLines>
Status transform_lines(KernelContext& ctx, const DftRun& run, const MixedRadix& fft) {
  const float* x = ctx.input(0).data<float>();
  float* y = ctx.output(0).data<float>();
  const int64_t lines = run.in.lines(), blocks = (lines + kLines - 1) / kLines;
  return parallel_ranges(ctx, blocks, std::max<int64_t>(1, kGrain / kLines / run.length),
                         [&](int64_t from, int64_t to) {
                           std::vector<float> buffer(static_cast<size_t>(4 * kLines * run.length));
                           for (int64_t block = from; block < to; ++block)
                             transform_block<kLines>(run, fft, x, y, block * kLines,
                                                     std::min(kLines, lines - block * kLines), buffer.data());
                         });
}

Status dft_f32(KernelContext& ctx) {
  const DftRun run(ctx);
  if (ctx.output(0).count() == 0) return {};
  if (run.parts != 2 || run.onesided || run.length < 1 || !MixedRadix::takes(static_cast<size_t>(run.length)))
    return dft_reference(ctx);
  const MixedRadix fft(static_cast<size_t>(run.length), run.inverse ? FftDirection::inverse : FftDirection::forward);
  return run.length > kLongLine || run.in.lines() < 4
             ? transform_lines<1>(ctx, run, fft)
             : transform_lines<static_cast<int64_t>(MixedRadix::kManyLines)>(ctx, run, fft);
}

}  // namespace

SDX_CPU_KERNELS(dft, {.name = "dft_f32", .can_run = takes<DType::f32>, .run = dft_f32});

}  // namespace sdx::ops
