// Convolutions over small images with weights packed in panels: the bits of those without, for each image of a batch.
#include "ops/conv/conv_weights.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/cpu.h"
#include "ops/invoke.h"

namespace sdx::ops {
namespace {

Value random_tensor(const Shape& shape, uint32_t seed) {
  Tensor made = std::move(Tensor::allocate(DType::f32, shape)).value();
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  for (int64_t i = 0; i < made.count(); ++i) made.data<float>()[i] = values(random);
  return made;
}

struct Geometry {
  int64_t channels, size, filters, kernel, stride, pad, dilation;
};

class Convolution {
 public:
  Convolution(const Geometry& g, int64_t batch, bool has_bias)
      : inputs_{random_tensor({batch, g.channels, g.size, g.size}, 1),
                random_tensor({g.filters, g.channels, g.kernel, g.kernel}, 2), random_tensor({g.filters}, 3)} {
    if (!has_bias) inputs_.pop_back();
    node_.op = "Conv";
    node_.outputs = {100};
    node_.attributes.list() = {{"pads", std::vector<int64_t>(4, g.pad)},
                               {"strides", std::vector<int64_t>(2, g.stride)},
                               {"dilations", std::vector<int64_t>(2, g.dilation)}};
    for (const Value& input : inputs_) {
      pointers_.push_back(&input);
      node_.inputs.push_back(static_cast<ValueId>(pointers_.size()));
    }
  }

  std::unique_ptr<KernelState> prepare() const {
    const Fact x = Fact::of(inputs_[0]), w = Fact::constant_of(inputs_[1].tensor());
    const Fact bias = inputs_.size() > 2 ? Fact::of(inputs_[2]) : Fact();
    std::vector<const Fact*> facts{&x, &w};
    if (inputs_.size() > 2) facts.push_back(&bias);
    return std::move(kernel().prepare(NodeFacts(node_, facts))).value();
  }
  Tensor run(const KernelState* state, int threads) const {
    const auto specs = output_specs(*entry_->contract, node_, pointers_);
    std::vector<Value> outputs(1);
    const auto pool = ThreadPool::shared(threads);
    const RunEnvironment environment{.pool = pool.get()};
    const Status status = invoke({entry_->contract, &kernel(), state}, node_, pointers_, *specs, outputs, environment);
    SDX_CHECK(status.ok(), "a test's convolution");
    return outputs[0].tensor();
  }
  const Kernel& kernel() const { return entry_->cpu_kernels->kernels()[0]; }

 private:
  std::vector<Value> inputs_;
  Node node_;
  std::vector<const Value*> pointers_;
  const OpEntry* entry_ = find_op("", "Conv");
};

TEST(conv_weights, panels_give_the_same_bits) {
  for_each_isa([](Isa isa) {
    SCOPED_TRACE(std::string(name(isa)));
    for (const Geometry& g :
         {Geometry{32, 7, 64, 1, 1, 0, 1}, Geometry{32, 7, 64, 3, 1, 1, 1}, Geometry{40, 13, 32, 3, 2, 1, 1},
          Geometry{64, 1, 128, 1, 1, 0, 1}, Geometry{33, 9, 96, 1, 2, 0, 1}, Geometry{16, 8, 61, 5, 1, 4, 2},
          Geometry{128, 10, 128, 1, 1, 0, 1}, Geometry{8, 60, 192, 5, 5, 0, 1}, Geometry{48, 20, 256, 3, 1, 1, 1}}) {
      for (const bool has_bias : {false, true}) {
        const Convolution one(g, 1, has_bias), three(g, 3, has_bias);
        const auto state = three.prepare();
        ASSERT_TRUE(static_cast<const ConvWeights&>(*state).panels.defined()) << g.channels << " " << g.size;
        const Tensor plain = three.run(nullptr, 1), packed = three.run(state.get(), 1);
        EXPECT_EQ(std::memcmp(plain.raw(), packed.raw(), plain.byte_size()), 0) << g.channels << " " << g.size;
        const Tensor by_three = three.run(state.get(), 3), alone = one.run(one.prepare().get(), 2);
        EXPECT_EQ(std::memcmp(packed.raw(), by_three.raw(), packed.byte_size()), 0);
        EXPECT_EQ(std::memcmp(packed.raw(), alone.raw(), alone.byte_size()), 0);
      }
    }
  });
}

TEST(conv_weights, stay_as_they_are_for_larger_images) {
  const Convolution convolution({32, 20, 64, 3, 1, 1, 1}, 1, false);
  const auto state = convolution.prepare();
  EXPECT_FALSE(static_cast<const ConvWeights&>(*state).panels.defined());
  const Tensor plain = convolution.run(nullptr, 1), kept = convolution.run(state.get(), 2);
  EXPECT_EQ(std::memcmp(plain.raw(), kept.raw(), plain.byte_size()), 0);
}

}  // namespace
}  // namespace sdx::ops
