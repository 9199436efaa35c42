// MatMulNBits as a whole node: rates of few rows by width of codes, block and accuracy level, and their share of the
// memory bandwidth that one core has. The weights are larger than the last cache.
#include <benchmark/benchmark.h>

#include "ops/invoke.h"
#include "ops/quant/nbits_panels.h"
#include "ops/testing/machine_peaks.h"

namespace sdx::ops {
namespace {

Value floats(const Shape& shape) {
  Tensor made = std::move(Tensor::allocate(DType::f32, shape)).value();
  for (int64_t i = 0; i < made.count(); ++i) made.data<float>()[i] = static_cast<float>(i % 23) / 16 - 0.6f;
  return made;
}
Value bytes(const Shape& shape) {
  Tensor made = std::move(Tensor::allocate(DType::u8, shape)).value();
  for (int64_t i = 0; i < made.count(); ++i) made.data<uint8_t>()[i] = static_cast<uint8_t>(i * 77 + i / 251);
  return made;
}

void matmul_nbits(benchmark::State& state) {
  const int64_t m = state.range(0), n = state.range(1), k = state.range(2), bits = state.range(3);
  const int64_t block = state.range(4), level = state.range(5), has_zeros = state.range(6), blocks = k / block;
  Node node;
  node.attributes.list() = {{"K", k}, {"N", n}, {"bits", bits}, {"block_size", block}, {"accuracy_level", level}};
  node.outputs = {100};
  std::vector<Value> inputs = {floats({m, k}), bytes({n, blocks, block * bits / 8}), floats({n, blocks})};
  if (has_zeros != 0) inputs.push_back(bytes({n, (blocks * bits + 7) / 8}));
  std::vector<const Value*> pointers;
  std::vector<Fact> known;
  for (const Value& input : inputs) {
    node.inputs.push_back(static_cast<ValueId>(pointers.size()));
    pointers.push_back(&input);
    known.push_back(pointers.size() == 1 ? Fact::of(input) : Fact::constant_of(input.tensor()));
  }
  std::vector<const Fact*> facts;
  for (const Fact& fact : known) facts.push_back(&fact);
  const OpEntry* entry = find_op("com.microsoft", "MatMulNBits");
  const Kernel& kernel = entry->cpu_kernels->kernels()[0];
  const auto panels = kernel.prepare(NodeFacts(node, facts));
  if (!panels.ok()) return state.SkipWithError("no panels");
  const auto specs = output_specs(*entry->contract, node, pointers);
  const auto pool = ThreadPool::shared(static_cast<int>(state.range(7)));
  const RunEnvironment environment{.pool = pool.get()};
  for (auto _ : state) {
    std::vector<Value> outputs(1);
    if (!invoke({entry->contract, &kernel, panels->get()}, node, pointers, *specs, outputs, environment).ok())
      state.SkipWithError("the product fails");
    benchmark::ClobberMemory();
  }
  const auto& packed = static_cast<const NBitsPanels&>(**panels);
  const double read =
      1e-9 * static_cast<double>(packed.codes.size() + 4 * packed.scales.size() + packed.byte_zeros.size());
  state.counters["GB/s"] = benchmark::Counter(read, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of bandwidth"] =
      benchmark::Counter(read / sdx::testing::machine_peaks().bandwidth, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(matmul_nbits)
    ->ArgNames({"m", "n", "k", "bits", "block", "level", "zeros", "threads"})
    ->Args({1, 8192, 8192, 8, 32, 0, 0, 1})
    ->Args({1, 8192, 8192, 8, 128, 0, 0, 1})
    ->Args({1, 8192, 8192, 8, 128, 0, 1, 1})
    ->Args({1, 8192, 8192, 8, 32, 4, 0, 1})
    ->Args({1, 8192, 8192, 8, 128, 4, 0, 1})
    ->Args({1, 16384, 8192, 4, 32, 0, 0, 1})
    ->Args({1, 16384, 8192, 4, 128, 0, 0, 1})
    ->Args({1, 16384, 8192, 4, 32, 0, 1, 1})
    ->Args({1, 16384, 8192, 4, 128, 0, 1, 1})
    ->Args({1, 16384, 8192, 4, 32, 4, 0, 1})
    ->Args({1, 16384, 8192, 4, 128, 4, 0, 1})
    ->Args({1, 16384, 8192, 4, 32, 4, 1, 1})
    ->Args({1, 32768, 8192, 2, 128, 0, 0, 1})
    ->Args({1, 32768, 8192, 2, 128, 4, 0, 1})
    ->Args({1, 8192, 8192, 8, 128, 0, 0, 2})
    ->Args({1, 8192, 8192, 8, 128, 4, 0, 2})
    ->Args({1, 16384, 8192, 4, 32, 0, 0, 2})
    ->Args({1, 16384, 8192, 4, 32, 4, 0, 2})
    ->Args({1, 131072, 1024, 4, 32, 0, 0, 1})
    ->Args({1, 131072, 1024, 4, 32, 4, 0, 1})
    ->Args({8, 4096, 4096, 8, 256, 0, 0, 1})
    ->Args({8, 4096, 4096, 4, 32, 0, 0, 1})
    ->Args({128, 4096, 4096, 4, 32, 0, 0, 1})
    ->Args({128, 4096, 4096, 4, 32, 4, 0, 1})
    ->Args({128, 4096, 4096, 4, 128, 4, 0, 1})
    ->Args({128, 4096, 4096, 8, 32, 4, 0, 1})
    ->Args({3, 16384, 8192, 4, 32, 4, 0, 1})
    ->Args({3, 16384, 8192, 4, 128, 4, 0, 1})
    ->Args({3, 16384, 8192, 4, 32, 4, 1, 1})
    ->Args({3, 16384, 8192, 4, 128, 4, 1, 1})
    ->Args({3, 8192, 8192, 8, 32, 4, 0, 1})
    ->Args({3, 8192, 8192, 8, 128, 4, 0, 1})
    ->Args({1, 1024, 1024, 4, 32, 0, 0, 1})
    ->Args({1, 1024, 1024, 4, 32, 4, 0, 1})
    ->UseRealTime();

}  // namespace
}  // namespace sdx::ops
