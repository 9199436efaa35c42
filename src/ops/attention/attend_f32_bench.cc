// Decode: attention of one query a head over a cache, and its share of the memory bandwidth that one core has. The
// caches of all batches together are larger than the last cache.
// Whole: all queries of a sequence, heads inside positions, and the products' share of the core's peak.
#include <benchmark/benchmark.h>

#include <cmath>

#include "ops/attention/attend_f32.h"
#include "ops/testing/machine_peaks.h"

namespace sdx::ops {
namespace {

Tensor filled(const Shape& shape) {
  Tensor tensor = std::move(Tensor::allocate(DType::f32, shape)).value();
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = static_cast<float>(i % 23) / 16 - 0.6f;
  return tensor;
}

void decode(benchmark::State& state) {
  const int64_t batch = state.range(0), heads = state.range(1), kv_heads = state.range(2), size = state.range(3);
  const int64_t keys = state.range(4), threads = state.range(5);
  const Tensor q = filled({batch, heads, 1, size}), y = filled({batch, heads, 1, size});
  const Tensor k = filled({batch, kv_heads, keys, size}), v = filled({batch, kv_heads, keys, size});
  const Node node;
  const auto pool = ThreadPool::shared(static_cast<int>(threads));
  const RunEnvironment environment{.pool = pool.get()};
  KernelContext ctx(node, {}, {}, {}, environment);
  Tensor memory = filled({threads * attend_slot_bytes() / 4 + 64});
  const AttendF32 call{.sizes = {.batch = batch,
                                 .heads = heads,
                                 .kv_heads = kv_heads,
                                 .queries = 1,
                                 .keys = keys,
                                 .head_size = size,
                                 .value_size = size},
                       .q = head_rows(heads_first(q)),
                       .k = head_rows(heads_first(k)),
                       .v = head_rows(heads_first(v)),
                       .y = head_rows(heads_first(y)),
                       .scale = 1 / std::sqrt(static_cast<float>(size))};
  for (auto _ : state) {
    if (!attend_f32(ctx, call, ScratchParts({memory.bytes(), memory.byte_size()})).ok()) state.SkipWithError("stopped");
    benchmark::ClobberMemory();
  }
  const double bytes = 1e-9 * static_cast<double>(k.byte_size() + v.byte_size());
  state.counters["GB/s"] = benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of bandwidth"] = benchmark::Counter(bytes / sdx::testing::machine_peaks().bandwidth,
                                                      benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(decode)
    ->ArgNames({"batch", "heads", "kv_heads", "size", "keys", "threads"})
    ->Args({6, 12, 12, 64, 2048, 1})
    ->Args({3, 32, 32, 64, 2048, 1})
    ->Args({3, 12, 12, 128, 2048, 1})
    ->Args({1, 32, 32, 128, 2048, 1})
    ->Args({6, 32, 8, 64, 2048, 1})
    ->Args({4, 32, 8, 128, 2048, 1})
    ->Args({6, 64, 8, 64, 2048, 1})
    ->Args({4, 64, 8, 128, 2048, 1})
    ->Args({1, 1, 1, 64, 1024, 1})
    ->Args({1, 4, 1, 64, 1024, 1})
    ->Args({1, 8, 1, 64, 1024, 1})
    ->Args({1, 1, 1, 128, 512, 1})
    ->Args({1, 4, 1, 128, 512, 1})
    ->Args({1, 8, 1, 128, 512, 1})
    ->Args({6, 12, 12, 64, 2048, 2})
    ->Args({1, 32, 32, 128, 2048, 2})
    ->Args({4, 32, 8, 128, 2048, 2})
    ->UseRealTime();

void whole(benchmark::State& state) {
  const int64_t batch = state.range(0), heads = state.range(1), size = state.range(2), keys = state.range(3);
  const Tensor q = filled({batch, keys, heads * size}), y = filled({batch, keys, heads * size});
  const Tensor k = filled({batch, keys, heads * size}), v = filled({batch, keys, heads * size});
  const Node node;
  const RunEnvironment environment;
  KernelContext ctx(node, {}, {}, {}, environment);
  Tensor memory = filled({attend_slot_bytes() / 4 + 64});
  const auto rows = [&](const Tensor& tensor) {
    return HeadRows{const_cast<float*>(tensor.data<float>()), keys * heads * size, size, heads * size};
  };
  const AttendF32 call{.sizes = {.batch = batch,
                                 .heads = heads,
                                 .kv_heads = heads,
                                 .queries = keys,
                                 .keys = keys,
                                 .head_size = size,
                                 .value_size = size},
                       .q = rows(q),
                       .k = rows(k),
                       .v = rows(v),
                       .y = rows(y),
                       .scale = 1 / std::sqrt(static_cast<float>(size))};
  for (auto _ : state) {
    if (!attend_f32(ctx, call, ScratchParts({memory.bytes(), memory.byte_size()})).ok()) state.SkipWithError("stopped");
    benchmark::ClobberMemory();
  }
  const double operations = 4e-9 * static_cast<double>(batch * heads * size * keys * keys);
  state.counters["GFLOP/s"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of peak"] =
      benchmark::Counter(operations / sdx::testing::machine_peaks().fma, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(whole)
    ->ArgNames({"batch", "heads", "size", "keys"})
    ->Args({1, 6, 64, 1500})
    ->Args({4, 6, 64, 197})
    ->Args({1, 12, 64, 128})
    ->Args({1, 12, 32, 64})
    ->Args({1, 8, 128, 512});

}  // namespace
}  // namespace sdx::ops
