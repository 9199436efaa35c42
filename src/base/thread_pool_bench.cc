// Latency of parallel regions on a warm pool. The main number: two empty blocks, median of many.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/thread_pool.h"

namespace sdx {
namespace {

double nanoseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

void region(benchmark::State& state) {
  const auto blocks = state.range(0);
  const auto pool = ThreadPool::shared(static_cast<int>(state.range(1)));
  const ThreadPool::ActiveScope run(*pool);
  std::vector<double> times;
  std::atomic<int64_t> on_workers{0};
  const auto caller = std::this_thread::get_id();
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    pool->parallel_for(blocks, [&](int64_t) {
      if (std::this_thread::get_id() != caller) on_workers.fetch_add(1, std::memory_order_relaxed);
    });
    times.push_back(nanoseconds(std::chrono::steady_clock::now() - begin));
  }
  std::sort(times.begin(), times.end());
  state.counters["median_ns"] = times[times.size() / 2];
  state.counters["p99_ns"] = times[times.size() * 99 / 100];
  state.counters["on_workers"] =
      benchmark::Counter(static_cast<double>(on_workers), benchmark::Counter::kAvgIterations);
}
BENCHMARK(region)->Args({2, 1})->Args({2, 2})->Args({8, 2})->Args({64, 2})->UseRealTime();

// Each block works for about 5 us, so that both threads take part: what splitting costs over half the serial time.
void region_with_work(benchmark::State& state) {
  const auto pool = ThreadPool::shared(static_cast<int>(state.range(0)));
  const ThreadPool::ActiveScope run(*pool);
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    pool->parallel_for(2, [](int64_t) {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(5);
      while (std::chrono::steady_clock::now() < until) {
      }
    });
    times.push_back(nanoseconds(std::chrono::steady_clock::now() - begin));
  }
  std::sort(times.begin(), times.end());
  state.counters["median_ns"] = times[times.size() / 2];
  state.counters["p99_ns"] = times[times.size() * 99 / 100];
}
BENCHMARK(region_with_work)->Arg(1)->Arg(2)->UseRealTime();

// Without a run in flight the workers sleep: what waking them costs.
void cold_region(benchmark::State& state) {
  const auto pool = ThreadPool::shared(2);
  for (auto _ : state) pool->parallel_for(2, [](int64_t) {});
}
BENCHMARK(cold_region)->UseRealTime();

}  // namespace
}  // namespace sdx
