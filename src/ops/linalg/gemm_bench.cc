// Float32 products: rates by shape, b packed beforehand ("packed") or not, on one thread, and their share of what the
// core can do.
#include <benchmark/benchmark.h>

#include "ops/linalg/gemm.h"
#include "ops/linalg/gemm_bf16.h"
#include "ops/testing/machine_peaks.h"

namespace sdx::ops {
namespace {

enum Layout : int64_t { packed, plain, transposed, turned };  // turned: packed, and a transposed
enum Weights : int64_t { f32, f16, bf16 };                    // what b's values fit

float weight(size_t i, int64_t type) {
  const auto value = static_cast<float>(i % 5) - 2;
  return type == f32 ? value / 3 : type == f16 ? value * 1.0625f * 1.03125f : value;
}

void gemm_f32(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  const auto layout = static_cast<Layout>(state.range(3));
  std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n)), c(static_cast<size_t>(m * n));
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = weight(i, state.range(4));
  GemmF32 g{.m = m, .n = n, .k = k, .a = {a.data(), k, 1}, .c = c.data(), .c_row = n};
  g.b = layout == transposed ? MatrixF32{b.data(), 1, k} : MatrixF32{b.data(), n, 1};
  const auto weights = PackedF32::create(g.b, k, n);
  if (layout == packed || layout == turned) g.packed = &*weights;
  if (layout == turned) g.a = {a.data(), 1, m};
  for (auto _ : state) {
    gemm(g);
    benchmark::ClobberMemory();
  }
  const double operations = 2e-9 * static_cast<double>(m * n * k);
  state.counters["GFLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of peak"] =
      benchmark::Counter(operations / sdx::testing::machine_peaks().fma, benchmark::Counter::kIsIterationInvariantRate);
  if (m == 1 && g.packed != nullptr) {
    const double bytes = 1e-9 * static_cast<double>(weights->byte_size());
    state.counters["of bandwidth"] = benchmark::Counter(bytes / sdx::testing::machine_peaks().bandwidth,
                                                        benchmark::Counter::kIsIterationInvariantRate);
  }
}
void gemm_rounded(benchmark::State& state) {
  if (!has_bf16_products()) return state.SkipWithError("no bfloat16 products");
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n)), c(static_cast<size_t>(m * n));
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
  for (size_t i = 0; i < b.size(); ++i) b[i] = weight(i, f32);
  std::vector<uint32_t> rows(static_cast<size_t>(m * bf16_row(k)));
  const auto weights = PackedBF16::create({b.data(), n, 1}, k, n);
  const Node node;
  const RunEnvironment environment;
  KernelContext ctx(node, {}, {}, {}, environment);
  for (auto _ : state) {
    for (int64_t row = 0; row < m; ++row) round_row_bf16(a.data() + row * k, k, rows.data() + row * bf16_row(k));
    if (!gemm_bf16(ctx, {.m = m, .a = rows.data(), .b = &*weights, .c = c.data()}).ok()) state.SkipWithError("stopped");
    benchmark::ClobberMemory();
  }
  const double operations = 2e-9 * static_cast<double>(m * n * k);
  state.counters["GFLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of peak"] = benchmark::Counter(operations / sdx::testing::machine_peaks().bf16,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(gemm_rounded)
    ->ArgNames({"m", "n", "k"})
    ->Args({1024, 1024, 1024})
    ->Args({128, 3072, 768})
    ->Args({128, 768, 3072})
    ->Args({8, 768, 768})
    ->Args({1, 8192, 8192});

BENCHMARK(gemm_f32)
    ->ArgNames({"m", "n", "k", "layout", "weights"})
    ->Args({1024, 1024, 1024, packed, f32})
    ->Args({1024, 1024, 1024, packed, f16})
    ->Args({1024, 1024, 1024, packed, bf16})
    ->Args({128, 768, 768, packed, f16})
    ->Args({8, 768, 768, packed, f16})
    ->Args({1, 8192, 8192, packed, f32})
    ->Args({1, 8192, 8192, packed, f16})
    ->Args({1, 8192, 8192, packed, bf16})
    ->Args({4, 8192, 8192, packed, f16})
    ->Args({1024, 1024, 1024, plain, f32})
    ->Args({1024, 1024, 1024, transposed, f32})
    ->Args({1024, 1024, 1024, turned, f32})
    ->Args({128, 768, 768, turned, f32})
    ->Args({512, 64, 512, turned, f32})
    ->Args({512, 64, 512, packed, f32})
    ->Args({512, 512, 64, turned, f32})
    ->Args({512, 512, 64, packed, f32})
    ->Args({128, 768, 768, packed, f32})
    ->Args({128, 768, 768, plain, f32})
    ->Args({128, 768, 768, transposed, f32})
    ->Args({128, 3072, 768, packed, f32})
    ->Args({128, 768, 3072, packed, f32})
    ->Args({197, 1536, 384, packed, f32})
    ->Args({197, 384, 1536, packed, f32})
    ->Args({1500, 384, 384, packed, f32})
    ->Args({1500, 1536, 384, packed, f32})
    ->Args({1500, 384, 1536, packed, f32})
    ->Args({8, 768, 768, packed, f32})
    ->Args({8, 768, 768, plain, f32})
    ->Args({3, 768, 768, packed, f32})
    ->Args({2, 768, 768, packed, f32})
    ->Args({1, 768, 768, packed, f32})
    ->Args({1, 768, 768, plain, f32})
    ->Args({1, 768, 768, transposed, f32})
    ->Args({1, 4096, 4096, packed, f32})
    ->Args({64, 12544, 64, plain, f32})
    ->Args({256, 196, 1024, plain, f32})
    ->Args({196, 256, 1024, turned, f32})
    ->Args({512, 49, 4608, plain, f32})
    ->Args({49, 512, 4608, turned, f32})
    ->Args({256, 196, 2304, plain, f32})
    ->Args({196, 256, 2304, turned, f32})
    ->Args({2048, 49, 512, plain, f32})
    ->Args({49, 2048, 512, turned, f32})
    ->Args({512, 49, 2048, plain, f32})
    ->Args({49, 512, 2048, turned, f32})
    ->Args({128, 784, 1152, plain, f32})
    ->Args({784, 128, 1152, turned, f32})
    ->Args({64, 196, 384, plain, f32})
    ->Args({196, 64, 384, turned, f32})
    ->Args({160, 49, 960, plain, f32})
    ->Args({49, 160, 960, turned, f32})
    ->Args({128, 128, 64, transposed, f32})
    ->Args({4096, 1, 768, plain, f32});

}  // namespace
}  // namespace sdx::ops
