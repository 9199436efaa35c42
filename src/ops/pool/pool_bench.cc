// Pools over blocked channels as real networks have them, on one thread. cold: x is another one each time, as a
// convolution has just written it to the third cache.
#include <benchmark/benchmark.h>

#include "ops/op.h"
#include "ops/op_facts.h"

namespace sdx::ops {
namespace {

Value filled(const Shape& shape) {
  Tensor tensor = std::move(Tensor::allocate(DType::f32, shape)).value();
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = static_cast<float>(i * 7 % 13) - 3;
  return tensor;
}

void blocked_pool(benchmark::State& state, const char* op) {
  const int64_t blocks = state.range(0), height = state.range(1), width = state.range(2), kernel = state.range(3),
                stride = state.range(4), pad = state.range(5);
  const bool cold = state.range(6) != 0;
  Node node;
  node.attributes.list() = {{"kernel_shape", std::vector<int64_t>{kernel, kernel, 1}},
                            {"strides", std::vector<int64_t>{stride, stride, 1}},
                            {"pads", std::vector<int64_t>{pad, pad, 0, pad, pad, 0}}};
  node.outputs = {0};
  const auto out = [&](int64_t in) { return (in + 2 * pad - kernel) / stride + 1; };
  const Shape in_shape{1, blocks, height, width, 16};
  std::vector<Value> x;
  const int64_t copies = cold ? std::max<int64_t>(2, (8 << 20) / (count_of(in_shape) * 4)) : 1;
  for (int64_t i = 0; i < copies; ++i) x.push_back(filled(in_shape));
  Value y = filled({1, blocks, out(height), out(width), 16});
  const OutputSpec spec{.dtype = DType::f32, .shape_known = true, .shape = y.tensor().shape()};
  const RunEnvironment environment;
  const Kernel& kernel_used = find_op("", op)->cpu_kernels->kernels()[0];
  size_t next = 0;
  for (auto _ : state) {
    const Value* inputs[] = {&x[next]};
    KernelContext ctx(node, inputs, {&spec, 1}, {&y, 1}, environment);
    next = next + 1 == x.size() ? 0 : next + 1;
    if (!kernel_used.run(ctx).ok()) state.SkipWithError("the pool fails");
    benchmark::ClobberMemory();
  }
  state.counters["bytes/s"] = benchmark::Counter(static_cast<double>(4 * (count_of(in_shape) + y.tensor().count())),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void layers(benchmark::internal::Benchmark* made) {
  constexpr int64_t kLayers[][6] = {{2, 112, 112, 3, 2, 1}, {4, 112, 112, 3, 2, 1}, {3, 250, 160, 2, 2, 0},
                                    {6, 125, 80, 2, 2, 0},  {2, 256, 256, 2, 2, 0}, {16, 32, 32, 2, 2, 0},
                                    {12, 13, 13, 5, 1, 2},  {12, 13, 13, 9, 1, 4},  {12, 13, 13, 13, 1, 6},
                                    {8, 10, 10, 5, 1, 2},   {9, 28, 28, 3, 2, 1},   {17, 14, 14, 3, 2, 1}};
  for (const auto& layer : kLayers)
    for (const int64_t cold : {0, 1}) {
      std::vector<int64_t> all(std::begin(layer), std::end(layer));
      all.push_back(cold);
      made->Args(all);
    }
}
BENCHMARK_CAPTURE(blocked_pool, max, "MaxPool")->ArgNames({"blocks", "h", "w", "k", "s", "p", "cold"})->Apply(layers);
BENCHMARK_CAPTURE(blocked_pool, average, "AveragePool")
    ->ArgNames({"blocks", "h", "w", "k", "s", "p", "cold"})
    ->Args({7, 28, 28, 3, 2, 1, 0})
    ->Args({17, 14, 14, 3, 2, 1, 0})
    ->Args({8, 56, 56, 2, 2, 0, 0});

}  // namespace
}  // namespace sdx::ops
