// What a core can do at most: float32 multiply-adds in registers, at the widest vectors there are.
#include <benchmark/benchmark.h>

#if defined(__x86_64__)
#include <immintrin.h>

namespace sdx::ops {
namespace {

constexpr int kSums = 24, kSteps = 1000;

template <int kLanes>
double operations() {
  return 2.0 * kLanes * kSums * kSteps;
}

__attribute__((target("avx512f"))) void multiply_add_512(float factor, float* out) {
  __m512 sum[kSums];
  for (auto& s : sum) s = _mm512_set1_ps(factor);
  const __m512 a = _mm512_set1_ps(factor), b = _mm512_set1_ps(1 - factor);
  for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 24
    for (int j = 0; j < kSums; ++j) sum[j] = _mm512_fmadd_ps(sum[j], a, b);
  }
  for (const auto& s : sum) _mm512_storeu_ps(out, _mm512_add_ps(s, _mm512_loadu_ps(out)));
}

__attribute__((target("avx2,fma"))) void multiply_add_256(float factor, float* out) {
  constexpr int kFit = 12;
  for (int half = 0; half < kSums; half += kFit) {
    __m256 sum[kFit];
    for (auto& s : sum) s = _mm256_set1_ps(factor);
    const __m256 a = _mm256_set1_ps(factor), b = _mm256_set1_ps(1 - factor);
    for (int i = 0; i < kSteps; ++i) {
#pragma GCC unroll 12
      for (int j = 0; j < kFit; ++j) sum[j] = _mm256_fmadd_ps(sum[j], a, b);
    }
    for (const auto& s : sum) _mm256_storeu_ps(out, _mm256_add_ps(s, _mm256_loadu_ps(out)));
  }
}

void fma_peak(benchmark::State& state) {
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  if (!wide && (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0)) {
    state.SkipWithError("the processor has no multiply-adds");
    return;
  }
  float out[16] = {}, factor = 0.5F;
  for (auto _ : state) {
    benchmark::DoNotOptimize(factor);
    (wide ? multiply_add_512 : multiply_add_256)(factor, out);
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(1e-9 * (wide ? operations<16>() : operations<8>()),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(fma_peak);

}  // namespace
}  // namespace sdx::ops
#endif
