// A cache that grows in place: past and present are one buffer, and a step writes the new token's rows alone.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "ops/testing/op_case.h"

namespace sdx::ops::testing {
namespace {

constexpr int64_t kHeads = 4, kSize = 64, kRoom = 4096, kUsed = 4000;

Value random_tensor(const Shape& shape, uint32_t seed) {
  Tensor made = std::move(Tensor::allocate(DType::f32, shape)).value();
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  for (int64_t i = 0; i < made.count(); ++i) made.data<float>()[i] = values(random);
  return made;
}

// Pages of a cache [1, 1, kRoom, kSize], between pages that nobody may touch.
class CachePages {
 public:
  CachePages() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    whole_ = static_cast<std::byte*>(
        mmap(nullptr, kBytes + 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(whole_, page_, PROT_NONE);
    mprotect(whole_ + page_ + kBytes, page_, PROT_NONE);
  }
  ~CachePages() { munmap(whole_, kBytes + 2 * page_); }
  CachePages(const CachePages&) = delete;
  CachePages& operator=(const CachePages&) = delete;

  float* data() { return reinterpret_cast<float*>(whole_ + page_); }
  Value tensor() { return Tensor::wrap(DType::f32, Shape{1, 1, kRoom, kSize}, data(), nullptr); }
  // All pages but that of `token` are read-only from now on.
  void protect_all_but(int64_t token) {
    const auto at = static_cast<size_t>(token * kSize) * sizeof(float) / page_ * page_;
    mprotect(whole_ + page_, at, PROT_READ);
    mprotect(whole_ + page_ + at + page_, kBytes - at - page_, PROT_READ);
  }

 private:
  static constexpr size_t kBytes = kRoom * kSize * sizeof(float);
  size_t page_;
  std::byte* whole_ = nullptr;
};

struct Step {
  Node node;
  std::vector<Value> inputs;
  std::vector<const Value*> pointers;
  const OpEntry* entry = find_op("com.microsoft", "GroupQueryAttention");

  Step() {
    node.domain = "com.microsoft";
    node.op = "GroupQueryAttention";
    node.attributes.list() = {attr("num_heads", kHeads), attr("kv_num_heads", 1)};
    node.outputs = {100, 101, 102};
    inputs = {random_tensor({1, 1, kHeads * kSize}, 1),
              random_tensor({1, 1, kSize}, 2),
              random_tensor({1, 1, kSize}, 3),
              Value(),
              Value(),
              i32({1}, {kUsed}),
              i32({}, {kUsed + 1})};
  }
  Result<std::vector<Value>> run(Value keys, Value values, const Kernel* kernel, bool in_place) {
    inputs[3] = std::move(keys);
    inputs[4] = std::move(values);
    pointers.clear();
    node.inputs.clear();
    for (const Value& input : inputs) {
      pointers.push_back(&input);
      node.inputs.push_back(static_cast<ValueId>(pointers.size()));
    }
    SDX_ASSIGN(const auto specs, output_specs(*entry->contract, node, pointers));
    std::vector<Value> outputs(3);
    if (in_place) {
      outputs[1] = inputs[3];
      outputs[2] = inputs[4];
    }
    SDX_TRY(invoke({entry->contract, kernel, nullptr}, node, pointers, specs, outputs, RunEnvironment()));
    return outputs;
  }
};

TEST(GroupQueryAttention, a_cache_of_4000_tokens_grows_in_place) {
  Step step;
  const Value old_keys = random_tensor({1, 1, kRoom, kSize}, 4), old_values = random_tensor({1, 1, kRoom, kSize}, 5);
  const auto wanted = step.run(old_keys, old_values, nullptr, false);
  ASSERT_TRUE(wanted.ok()) << wanted.status().message();
  for (const Kernel& kernel : step.entry->cpu_kernels->kernels()) {
    CachePages keys, values;
    for (const auto& [pages, old] : {std::pair(&keys, &old_keys), std::pair(&values, &old_values)}) {
      std::memcpy(pages->data(), old->tensor().raw(), old->tensor().byte_size());
      pages->protect_all_but(kUsed);  // a write anywhere else ends the test
    }
    const auto found = step.run(keys.tensor(), values.tensor(), &kernel, true);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ((*found)[1].tensor().raw(), keys.data());
    EXPECT_EQ((*found)[2].tensor().raw(), values.data());
    int64_t changed = 0;
    for (const auto& [pages, old, fresh] :
         {std::tuple(&keys, &old_keys, &step.inputs[1]), std::tuple(&values, &old_values, &step.inputs[2])}) {
      const float *before = old->tensor().data<float>(), *added = fresh->tensor().data<float>();
      for (int64_t i = 0; i < kRoom * kSize; ++i) {
        const bool is_new = i / kSize == kUsed;
        ASSERT_EQ(pages->data()[i], is_new ? added[i % kSize] : before[i]) << "position " << i / kSize;
        changed += pages->data()[i] != before[i];
      }
    }
    EXPECT_EQ(changed, 2 * kSize);
    const float *y = (*found)[0].tensor().data<float>(), *reference = (*wanted)[0].tensor().data<float>();
    for (int64_t i = 0; i < kHeads * kSize; ++i) ASSERT_NEAR(y[i], reference[i], 1e-5) << i;
  }
}

}  // namespace
}  // namespace sdx::ops::testing

// Values from numpy, by the formula.
OP_CASES_IN(
    "com.microsoft", GroupQueryAttention,
    {"scores_before_softmax",
     {f32({1, 2, 4}, {-1.5f, 1.25f, 0.125f, 0, -0.875f, 0, 1.875f, -1.125f}),
      f32({1, 2, 2}, {1.125f, -2, -0.75f, 1.75f}), f32({1, 2, 2}, {1.5f, -1.75f, 1.375f, 1.375f}), none, none,
      i32({1}, {1}), i32({}, {2})},
     {f32({1, 2, 4}, {1.5f, -1.75f, 1.5f, -1.75f, 1.40483121f, 0.629219848f, 1.4994753f, -1.73688241f}), none, none,
      f32({1, 2, 2, 2}, {-2.96100965f, 0, -0.696058238f, 0.464038825f, 0.0994368911f, 0, 3.08254362f, -2.38648539f})},
     {attr("num_heads", 2), attr("kv_num_heads", 1), attr("qk_output", 1)}},
    {"scores_after_softmax",
     {f32({1, 2, 4}, {-1.5f, 1.25f, 0.125f, 0, -0.875f, 0, 1.875f, -1.125f}),
      f32({1, 2, 2}, {1.125f, -2, -0.75f, 1.75f}), f32({1, 2, 2}, {1.5f, -1.75f, 1.375f, 1.375f}), none, none,
      i32({1}, {1}), i32({}, {2})},
     {f32({1, 2, 4}, {1.5f, -1.75f, 1.5f, -1.75f, 1.40483121f, 0.629219848f, 1.4994753f, -1.73688241f}), none, none,
      f32({1, 2, 2, 2}, {1, 0, 0.238649649f, 0.761350351f, 1, 0, 0.995802371f, 0.00419762884f})},
     {attr("num_heads", 2), attr("kv_num_heads", 1), attr("qk_output", 2)}});
