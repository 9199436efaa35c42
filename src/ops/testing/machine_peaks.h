// What one core of this machine can do at best, measured: benchmarks print their share of it. Header-only: benches link
// no test helpers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/cpu.h"

#include <sys/mman.h>

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // in the intrinsics' own "undefined" values
#include <immintrin.h>
#endif

namespace sdx::testing {

struct MachinePeaks {
  double fma = 0, bf16 = 0;  // GFLOP/s; 0: not measured here
  double bandwidth = 0;      // GB/s, read once
};

namespace peaks {

template <typename F>
double best_rate(double work, F f) {
  double best = 0;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    best =
        std::max(best, 1e-9 * work / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

#if defined(__x86_64__)
constexpr int kChains = 24, kSteps = 2'000'000;

__attribute__((target("avx512f"))) inline float total_of(const __m512 (&sums)[kChains]) {
  __m512 all = sums[0];
#pragma GCC unroll 24
  for (int j = 1; j < kChains; ++j) all = _mm512_add_ps(all, sums[j]);
  return _mm512_reduce_add_ps(all);
}

__attribute__((target("avx512f"), noinline)) inline float chains_of_fma(float value) {
  const __m512 factor = _mm512_set1_ps(value);
  __m512 sums[kChains];
#pragma GCC unroll 24
  for (int j = 0; j < kChains; ++j) sums[j] = _mm512_set1_ps(value + static_cast<float>(j));
  for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 24
    for (int j = 0; j < kChains; ++j) sums[j] = _mm512_fmadd_ps(factor, factor, sums[j]);
  }
  return total_of(sums);
}
__attribute__((target("avx512f,avx512bf16"), noinline)) inline float chains_of_bf16(float value) {
  const auto factor = reinterpret_cast<__m512bh>(_mm512_set1_ps(value));
  __m512 sums[kChains];
#pragma GCC unroll 24
  for (int j = 0; j < kChains; ++j) sums[j] = _mm512_set1_ps(value + static_cast<float>(j));
  for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 24
    for (int j = 0; j < kChains; ++j) sums[j] = _mm512_dpbf16_ps(sums[j], factor, factor);
  }
  return total_of(sums);
}
__attribute__((target("avx512f"), noinline)) inline float sum_of(const float* data, size_t count) {
  __m512 sums[kChains];
#pragma GCC unroll 24
  for (int j = 0; j < kChains; ++j) sums[j] = _mm512_setzero_ps();
  constexpr size_t kStreams = 4, kTogether = kChains / kStreams;  // from four places at once: faster than from one
  const size_t part = count / kStreams / (16 * kTogether) * (16 * kTogether);
  for (size_t i = 0; i < part; i += 16 * kTogether) {
#pragma GCC unroll 24
    for (size_t j = 0; j < kChains; ++j) {
      const float* from = data + j / kTogether * part + i + 16 * (j % kTogether);
      _mm_prefetch(reinterpret_cast<const char*>(from + 1536), _MM_HINT_T0);
      sums[j] = _mm512_add_ps(sums[j], _mm512_loadu_ps(from));
    }
  }
  return total_of(sums);
}
#endif

inline MachinePeaks measure() {
  MachinePeaks made;
#if defined(__x86_64__)
  volatile float kept = 0;
  if (!supports(Isa::avx512)) return made;
  made.fma = best_rate(2.0 * 16 * kChains * kSteps, [&] { kept = chains_of_fma(0.5f); });
  if (supports(Isa::avx512_bf16))
    made.bf16 = best_rate(4.0 * 16 * kChains * kSteps, [&] { kept = chains_of_bf16(0.5f); });
  constexpr size_t kFloats = size_t{1} << 27;  // far more than any cache
  const size_t bytes = kFloats * sizeof(float);
  const std::unique_ptr<float, void (*)(void*)> data(static_cast<float*>(std::aligned_alloc(1 << 21, bytes)),
                                                     std::free);
  madvise(data.get(), bytes, MADV_HUGEPAGE);
  std::fill_n(data.get(), kFloats, 1.0f);  // pages of zeros may be one page
  made.bandwidth = best_rate(4.0 * kFloats, [&] { kept = sum_of(data.get(), kFloats); });
#endif
  return made;
}

}  // namespace peaks

inline const MachinePeaks& machine_peaks() {
  static const MachinePeaks measured = peaks::measure();
  return measured;
}

}  // namespace sdx::testing
