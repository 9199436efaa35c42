// Blocked convolutions by weights of float16, at every SIMD level, against the reference; what kernels keep of them.
#include <algorithm>
#include <random>

#include "base/element.h"
#include "ops/conv/blocked_tiles.h"
#include "ops/op_facts.h"
#include "ops/testing/op_case.h"

namespace sdx::ops {
namespace {

using testing::Case;

struct Layer {
  int64_t channels, height, width, filters, kernel, stride = 1, group = 1;
  bool has_sum = false;
  std::string activation = "";
};

Value random_tensor(DType type, const Shape& shape, double largest, uint32_t seed) {
  Tensor made = std::move(Tensor::allocate(type, shape)).value();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> values(-largest, largest);
  for (int64_t i = 0; i < made.count(); ++i) store_double(made, i, values(random));
  return made;
}

Case case_of(const Layer& layer) {
  const int64_t out_height = (layer.height - layer.kernel) / layer.stride + 1;
  const int64_t out_width = (layer.width - layer.kernel) / layer.stride + 1;
  Case made{.name = formatted("{} channels {}x{} to {} by {}x{}", layer.channels, layer.height, layer.width,
                              layer.filters, layer.kernel, layer.kernel)};
  made.inputs = {
      random_tensor(DType::f32, {1, channel_blocks(layer.channels), layer.height, layer.width, 16}, 4, 1),
      random_tensor(DType::f16, {layer.filters, layer.channels / layer.group, layer.kernel, layer.kernel}, 4, 2),
      random_tensor(DType::f32, {layer.filters}, 4, 3),
      layer.has_sum ? random_tensor(DType::f32, {1, channel_blocks(layer.filters), out_height, out_width, 16}, 4, 4)
                    : Value(),
      random_tensor(DType::f32, {layer.filters}, 2, 5)};
  made.attributes = {attr("strides", std::vector<int64_t>(2, layer.stride)), attr("group", layer.group)};
  if (!layer.activation.empty()) made.attributes.push_back(attr("activation", layer.activation));
  return made;
}

// The sums of the standard's formula, in double precision.
Value wanted(const Layer& layer, const std::vector<Value>& inputs) {
  const Tensor &x = inputs[0].tensor(), &w = inputs[1].tensor();
  const int64_t out_height = (layer.height - layer.kernel) / layer.stride + 1;
  const int64_t out_width = (layer.width - layer.kernel) / layer.stride + 1;
  const int64_t depth = layer.channels / layer.group, in = layer.height * layer.width, taps = layer.kernel;
  Tensor y = std::move(Tensor::allocate(DType::f32, Shape{1, channel_blocks(layer.filters), out_height, out_width, 16}))
                 .value();
  for (int64_t at = 0; at < y.count(); ++at) {
    const int64_t o = at / 16 / (out_height * out_width) * 16 + at % 16, pixel = at / 16 % (out_height * out_width);
    if (o >= layer.filters) {
      y.data<float>()[at] = 0;
      continue;
    }
    double sum = 0;
    for (int64_t c = 0; c < depth; ++c) {
      const int64_t channel = o / (layer.filters / layer.group) * depth + c;
      for (int64_t tap = 0; tap < taps * taps; ++tap) {
        const int64_t row = pixel / out_width * layer.stride + tap / taps;
        const int64_t column = pixel % out_width * layer.stride + tap % taps;
        const int64_t place = (channel / 16 * in + row * layer.width + column) * 16 + channel % 16;
        sum += load_double(x, place) * load_double(w, (o * depth + c) * taps * taps + tap);
      }
    }
    sum = sum * load_double(inputs[4].tensor(), o) + load_double(inputs[2].tensor(), o);
    if (layer.has_sum) sum += load_double(inputs[3].tensor(), at);
    y.data<float>()[at] = static_cast<float>(layer.activation == "Relu" ? std::max(sum, 0.0) : sum);
  }
  return y;
}

TEST(blocked_halves, are_computed_with_as_floats_times_the_factor) {
  const Layer layers[] = {{64, 7, 7, 96, 1},
                          {35, 9, 30, 77, 1, 1, 1, true, "Relu"},
                          {713, 3, 23, 40, 1, 1, 1, true},  // more than is taken at once
                          {20, 11, 13, 16, 1, 2},
                          {24, 1, 1, 5, 1},
                          {40, 9, 17, 33, 3, 2, 1, true, "Relu"},
                          {33, 12, 12, 70, 3, 1, 1, true, "Relu"},
                          {80, 26, 27, 48, 3},
                          {300, 9, 9, 64, 3, 1, 1, true},
                          {64, 8, 9, 96, 2, 1, 2, true}};
  for (const Layer& layer : layers) {
    Case test = case_of(layer);
    test.expected = {wanted(layer, test.inputs)};
    run_case("sardonyx", "BlockedConv", test);
  }
}

const Kernel* kernel_of(const std::vector<Fact>& facts, Node& node) {
  node.outputs = {0};
  std::vector<const Fact*> pointers;
  for (const Fact& fact : facts) pointers.push_back(&fact);
  const auto kernels = find_op("sardonyx", "BlockedConv")->cpu_kernels->kernels();
  const auto found = std::ranges::find_if(kernels, [&](const Kernel& k) {
    return k.can_run({node, pointers}).accepted();
  });
  return found == kernels.end() ? nullptr : &*found;
}

TEST(blocked_halves, take_half_the_memory) {
  if (blocked_tiles().half_panel[0] == nullptr) GTEST_SKIP() << "no conversion of float16";
  for (const int64_t kernel : {1, 3}) {
    const Fact x = Fact::of(random_tensor(DType::f32, {1, 6, 14, 14, 16}, 1, 1));
    int64_t bytes[2];
    for (const DType type : {DType::f32, DType::f16}) {
      const std::vector<Fact> facts = {x,
                                       Fact::constant_of(random_tensor(type, {64, 96, kernel, kernel}, 1, 2).tensor())};
      const Fact* pointers[] = {&facts[0], &facts[1]};
      Node node;
      const Kernel* found = kernel_of(facts, node);
      ASSERT_NE(found, nullptr);
      bytes[type == DType::f16] = found->packed_bytes({node, pointers});
    }
    EXPECT_EQ(bytes[0], 64 * 96 * kernel * kernel * 4);
    EXPECT_EQ(bytes[1], bytes[0] / 2);
  }
}

}  // namespace
}  // namespace sdx::ops

OP_REJECTS_IN("sardonyx", BlockedConv, "entries of the factor and output channels",
              {f32({1, 1, 5, 16}, {0}), f16({1, 3, 1}, {0}), none, none, f32({2}, {0})});
OP_REJECTS_IN("sardonyx", BlockedConv, "factor has rank 2",
              {f32({1, 1, 5, 16}, {0}), f16({1, 3, 1}, {0}), none, none, f32({1, 1}, {0})});
