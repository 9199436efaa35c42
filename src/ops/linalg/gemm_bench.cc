// Float32 products: rates by shape, b packed beforehand ("packed") or not, on one thread.
#include <benchmark/benchmark.h>

#include "ops/linalg/gemm.h"

namespace sdx::ops {
namespace {

enum Layout : int64_t { packed, plain, transposed, turned };  // turned: packed, and a transposed

void gemm_f32(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const auto layout = static_cast<Layout>(state.range(3));
  std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n)), c(static_cast<size_t>(m * n));
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;
  GemmF32 g{.m = m, .n = n, .k = k, .a = {a.data(), k, 1}, .c = c.data(), .c_row = n};
  g.b = layout == transposed ? MatrixF32{b.data(), 1, k} : MatrixF32{b.data(), n, 1};
  const auto weights = PackedF32::create(g.b, k, n);
  if (layout == packed || layout == turned) g.packed = &*weights;
  if (layout == turned) g.a = {a.data(), 1, m};
  for (auto _ : state) {
    gemm(g);
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * static_cast<double>(m * n * k), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(gemm_f32)
    ->ArgNames({"m", "n", "k", "layout"})
    ->Args({1024, 1024, 1024, packed})
    ->Args({1024, 1024, 1024, plain})
    ->Args({1024, 1024, 1024, transposed})
    ->Args({1024, 1024, 1024, turned})
    ->Args({128, 768, 768, turned})
    ->Args({512, 64, 512, turned})
    ->Args({512, 64, 512, packed})
    ->Args({512, 512, 64, turned})
    ->Args({512, 512, 64, packed})
    ->Args({128, 768, 768, packed})
    ->Args({128, 768, 768, plain})
    ->Args({128, 768, 768, transposed})
    ->Args({128, 3072, 768, packed})
    ->Args({128, 768, 3072, packed})
    ->Args({8, 768, 768, packed})
    ->Args({8, 768, 768, plain})
    ->Args({3, 768, 768, packed})
    ->Args({2, 768, 768, packed})
    ->Args({1, 768, 768, packed})
    ->Args({1, 768, 768, plain})
    ->Args({1, 768, 768, transposed})
    ->Args({1, 4096, 4096, packed})
    ->Args({64, 12544, 64, plain})
    ->Args({256, 196, 1024, plain})
    ->Args({196, 256, 1024, turned})
    ->Args({512, 49, 4608, plain})
    ->Args({49, 512, 4608, turned})
    ->Args({256, 196, 2304, plain})
    ->Args({196, 256, 2304, turned})
    ->Args({2048, 49, 512, plain})
    ->Args({49, 2048, 512, turned})
    ->Args({512, 49, 2048, plain})
    ->Args({49, 512, 2048, turned})
    ->Args({128, 784, 1152, plain})
    ->Args({784, 128, 1152, turned})
    ->Args({64, 196, 384, plain})
    ->Args({196, 64, 384, turned})
    ->Args({160, 49, 960, plain})
    ->Args({49, 160, 960, turned})
    ->Args({128, 128, 64, transposed})
    ->Args({4096, 1, 768, plain});

}  // namespace
}  // namespace sdx::ops
