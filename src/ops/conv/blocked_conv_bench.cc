// Blocked convolutions as real networks have them, on one thread; operations counted as direct convolution. cold: each
// run finds other weights, as inside a network. half: weights of float16.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "base/element.h"
#include "ops/op.h"
#include "ops/op_facts.h"

namespace sdx::ops {
namespace {

Value filled(const Shape& shape, DType type = DType::f32) {
  Tensor tensor = std::move(Tensor::allocate(type, shape)).value();
  for (int64_t i = 0; i < tensor.count(); ++i) store_double(tensor, i, static_cast<double>(i % 7) - 3);
  return tensor;
}

void blocked_conv(benchmark::State& state) {
  const int64_t channels = state.range(0), size = state.range(1), outputs = state.range(2), kernel = state.range(3);
  const int64_t stride = state.range(4), groups = state.range(5), pad = kernel / 2;
  const int64_t out = (size + 2 * pad - kernel) / stride + 1;
  const bool plain = channels < 8;
  Node node;
  node.attributes.list() = {{"group", groups},
                            {"pads", std::vector<int64_t>(4, pad)},
                            {"strides", std::vector<int64_t>(2, stride)},
                            {"plain_input", int64_t{plain}},
                            {"activation", std::string("Relu")}};
  node.outputs = {0};
  const Value x = filled(plain ? Shape{1, channels, size, size} : Shape{1, (channels + 15) / 16, size, size, 16});
  const Value w = filled({outputs, channels / groups, kernel, kernel}, state.range(7) != 0 ? DType::f16 : DType::f32),
              b = filled({outputs});
  const Value* inputs[] = {&x, &w, &b};
  Value y = filled({1, (outputs + 15) / 16, out, out, 16});
  const OutputSpec spec{.dtype = DType::f32, .shape_known = true, .shape = y.tensor().shape()};
  const RunEnvironment environment;
  KernelContext ctx(node, inputs, {&spec, 1}, {&y, 1}, environment);
  const Fact x_fact = Fact::of(x), w_fact = Fact::constant_of(w.tensor()), b_fact = Fact::of(b), y_fact = Fact::of(y);
  const Fact* facts[] = {&x_fact, &w_fact, &b_fact};
  const Fact* y_facts[] = {&y_fact};
  const NodeFacts known(node, facts);
  const auto kernels = find_op("sardonyx", "BlockedConv")->cpu_kernels->kernels();
  const auto chosen =
      std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.can_run(known).accepted(); });
  SymbolTable symbols;
  Value scratch = filled({chosen->scratch_bytes({known, y_facts, symbols}).known() / 4 + 1});
  ctx.set_scratch({scratch.tensor().bytes(), scratch.tensor().byte_size()});
  const int64_t weight_bytes = chosen->packed_bytes(known);
  const auto copies = state.range(6) != 0 ? std::clamp<int64_t>((96 << 20) / weight_bytes, 2, 512) : 1;
  std::vector<std::unique_ptr<KernelState>> weights;
  for (int64_t i = 0; i < copies; ++i) weights.push_back(std::move(chosen->prepare(known)).value());
  size_t next = 0;
  for (auto _ : state) {
    ctx.set_state(weights[next].get());
    next = next + 1 == weights.size() ? 0 : next + 1;
    if (!chosen->run(ctx).ok()) state.SkipWithError("the convolution fails");
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(w.tensor().count() * out * out),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void layers(benchmark::internal::Benchmark* made) {
  constexpr int64_t kLayers[][6] = {
      {64, 56, 64, 3, 1, 1},   {128, 28, 128, 3, 1, 1},   {256, 14, 256, 3, 1, 1},  {512, 7, 512, 3, 1, 1},
      {128, 56, 128, 3, 2, 1}, {256, 28, 256, 3, 2, 1},   {64, 56, 64, 1, 1, 1},    {256, 56, 64, 1, 1, 1},
      {64, 56, 256, 1, 1, 1},  {512, 28, 128, 1, 1, 1},   {256, 14, 1024, 1, 1, 1}, {1024, 14, 256, 1, 1, 1},
      {2048, 7, 512, 1, 1, 1}, {512, 7, 2048, 1, 1, 1},   {256, 56, 512, 1, 2, 1},  {3, 224, 64, 7, 2, 1},
      {3, 224, 32, 3, 2, 1},   {3, 224, 64, 3, 1, 1},     {96, 112, 96, 3, 1, 96},  {96, 112, 96, 3, 2, 96},
      {32, 112, 32, 3, 1, 32}, {384, 14, 384, 3, 1, 384}, {960, 7, 960, 5, 1, 960}, {24, 56, 144, 1, 1, 1},
      {16, 160, 16, 3, 1, 1},  {960, 7, 160, 1, 1, 1},    {32, 256, 32, 3, 1, 1},   {64, 128, 64, 3, 1, 1},
      {64, 20, 64, 3, 1, 1},   {512, 1, 128, 1, 1, 1},    {24, 56, 112, 1, 1, 4},   {136, 28, 136, 1, 1, 4},
      {272, 14, 272, 1, 1, 4}, {544, 7, 544, 1, 1, 4}};
  for (const auto& layer : kLayers)
    for (const int64_t cold : {0, 1}) {
      for (const int64_t half : {0, 1}) {
        std::vector<int64_t> all(std::begin(layer), std::end(layer));
        all.insert(all.end(), {cold, half});
        if (half == 0 || (layer[0] >= 8 && layer[5] == 1)) made->Args(all);
      }
    }
}
BENCHMARK(blocked_conv)->ArgNames({"c", "hw", "m", "k", "s", "g", "cold", "half"})->Apply(layers);

}  // namespace
}  // namespace sdx::ops
