// Float32 convolutions as real networks have them, on one thread; operations counted as direct convolution.
#include <benchmark/benchmark.h>

#include "ops/conv/conv_weights.h"

namespace sdx::ops {
namespace {

Value filled(const Shape& shape) {
  Tensor tensor = std::move(Tensor::allocate(DType::f32, shape)).value();
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = static_cast<float>(i % 7) - 3;
  return tensor;
}

void conv_f32(benchmark::State& state) {
  const int64_t channels = state.range(0), size = state.range(1), outputs = state.range(2), kernel = state.range(3);
  const int64_t stride = state.range(4), groups = state.range(5), pad = kernel / 2;
  const int64_t out = (size + 2 * pad - kernel) / stride + 1;
  Node node;
  node.attributes.list() = {
      {"group", groups}, {"pads", std::vector<int64_t>(4, pad)}, {"strides", std::vector<int64_t>(2, stride)}};
  node.outputs = {0};
  const Value x = filled({1, channels, size, size}), w = filled({outputs, channels / groups, kernel, kernel});
  const Value* inputs[] = {&x, &w};
  Value y = filled({1, outputs, out, out});
  const OutputSpec spec{.dtype = DType::f32, .shape_known = true, .shape = y.tensor().shape()};
  const RunEnvironment environment;
  KernelContext ctx(node, inputs, {&spec, 1}, {&y, 1}, environment);
  const Fact x_fact = Fact::of(x), w_fact = Fact::constant_of(w.tensor()), y_fact = Fact::of(y);
  const Fact* facts[] = {&x_fact, &w_fact};
  const Fact* y_facts[] = {&y_fact};
  const NodeFacts known(node, facts);
  SymbolTable symbols;
  Value scratch = filled({conv_scratch({known, y_facts, symbols}).known() / 4 + 1});
  ctx.set_scratch({scratch.tensor().bytes(), scratch.tensor().byte_size()});
  const auto weights = prepare_conv_f32(known);
  if (state.range(6) != 0) ctx.set_state(weights->get());
  for (auto _ : state) {
    if (!run_conv_f32(ctx, {}).ok()) state.SkipWithError("the convolution fails");
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(w.tensor().count() * out * out),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(conv_f32)
    ->ArgNames({"channels", "size", "outputs", "kernel", "stride", "groups", "prepared"})
    ->Args({3, 224, 64, 7, 2, 1, 0})
    ->Args({128, 28, 128, 3, 1, 1, 0})
    ->Args({64, 56, 256, 1, 1, 1, 0})
    ->Args({256, 56, 128, 1, 2, 1, 0})
    ->Args({32, 112, 32, 3, 1, 32, 0})
    ->Args({96, 112, 96, 3, 2, 96, 0})
    ->Args({384, 14, 384, 3, 1, 384, 0})
    ->Args({64, 56, 64, 3, 1, 1, 0})
    ->Args({64, 56, 64, 3, 1, 1, 1})
    ->Args({256, 14, 256, 3, 1, 1, 0})
    ->Args({256, 14, 256, 3, 1, 1, 1})
    ->Args({512, 7, 512, 3, 1, 1, 0})
    ->Args({512, 7, 512, 3, 1, 1, 1})
    ->Args({1024, 14, 256, 1, 1, 1, 0})
    ->Args({1024, 14, 256, 1, 1, 1, 1})
    ->Args({256, 14, 1024, 1, 1, 1, 0})
    ->Args({256, 14, 1024, 1, 1, 1, 1})
    ->Args({2048, 7, 512, 1, 1, 1, 0})
    ->Args({2048, 7, 512, 1, 1, 1, 1})
    ->Args({1024, 14, 2048, 1, 2, 1, 0})
    ->Args({1024, 14, 2048, 1, 2, 1, 1})
    ->Args({96, 14, 64, 1, 1, 1, 0})
    ->Args({96, 14, 64, 1, 1, 1, 1})
    ->Args({960, 7, 160, 1, 1, 1, 0})
    ->Args({960, 7, 160, 1, 1, 1, 1})
    ->Args({8, 256, 8, 5, 1, 1, 0})
    ->Args({8, 256, 8, 5, 1, 1, 1})
    ->Args({8, 256, 1, 5, 1, 1, 0})
    ->Args({8, 256, 1, 5, 1, 1, 1})
    ->Args({32, 88, 1, 7, 1, 1, 0})
    ->Args({32, 88, 1, 7, 1, 1, 1})
    ->Args({64, 128, 3, 3, 1, 1, 0})
    ->Args({64, 128, 3, 3, 1, 1, 1})
    ->Args({16, 24, 4, 3, 1, 1, 0})
    ->Args({16, 24, 4, 3, 1, 1, 1})
    ->Args({512, 1, 128, 1, 1, 1, 0})
    ->Args({512, 1, 128, 1, 1, 1, 1});

}  // namespace
}  // namespace sdx::ops
