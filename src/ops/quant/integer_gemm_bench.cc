// 8-bit products: rates by shape, b packed beforehand, on one thread.
#include <benchmark/benchmark.h>

#include "ops/quant/integer_gemm.h"

namespace sdx::ops {
namespace {

void integer_gemm(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2);
  std::vector<uint8_t> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n));
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<uint8_t>(i * 7);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<uint8_t>(i * 11);
  std::vector<uint8_t> panels(static_cast<size_t>(panels_of(n) * panel_bytes(k)));
  std::vector<int32_t> sums(static_cast<size_t>(panels_of(n) * kPanelColumns)), c(static_cast<size_t>(m * n));
  pack_panels({.data = b.data(), .is_signed = true, .row_stride = n}, k, n, panels.data(), sums.data());
  const IntegerProduct product{
      .rows = m, .columns = n, .k = k, .a = a.data(), .a_row = k, .panels = panels.data(), .column_start = sums.data()};
  const Node node;
  const RunEnvironment environment;
  KernelContext ctx(node, {}, {}, {}, environment);
  for (auto _ : state) {
    const Status status =
        multiply(ctx, product,
                 [&](int64_t row, int64_t rows, int64_t column, int64_t columns, const int32_t* from, int64_t stride) {
                   for (int64_t r = 0; r < rows; ++r)
                     std::copy_n(from + r * stride, columns, c.data() + (row + r) * n + column);
                 });
    if (!status.ok()) state.SkipWithError("stopped");
    benchmark::ClobberMemory();
  }
  const double operations = 2e-9 * static_cast<double>(m * n * k);
  state.counters["GOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["GB/s of b"] =
      benchmark::Counter(1e-9 * static_cast<double>(n * k), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(integer_gemm)
    ->ArgNames({"m", "n", "k"})
    ->Args({512, 768, 768})
    ->Args({128, 768, 768})
    ->Args({128, 3072, 768})
    ->Args({128, 768, 3072})
    ->Args({1024, 1024, 1024})
    ->Args({64, 384, 384})
    ->Args({8, 768, 768})
    ->Args({1, 768, 768})
    ->Args({1, 4096, 4096})
    ->Args({1, 32000, 4096});

}  // namespace
}  // namespace sdx::ops
