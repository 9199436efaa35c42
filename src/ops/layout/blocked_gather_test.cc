#include "ops/testing/op_case.h"

namespace {

using Ints = std::vector<int64_t>;

// [1, blocks, 1, 16]: channel i holds first + i; 77 beyond.
sdx::Value counted(int64_t channels, double first, double beyond = 77) {
  const int64_t blocks = (channels + 15) / 16;
  sdx::Value made = sdx::ops::testing::f32({1, blocks, 1, 16}, {beyond});
  for (int64_t i = 0; i < channels; ++i)
    made.tensor().data<float>()[i] = static_cast<float>(first + static_cast<double>(i));
  return made;
}
// [1, blocks, 1, 16] of the numbers; 0 beyond.
sdx::Value lanes(const Ints& numbers) {
  sdx::Value made = counted(static_cast<int64_t>(numbers.size()), 0, 0);
  for (size_t i = 0; i < numbers.size(); ++i) made.tensor().data<float>()[i] = static_cast<float>(numbers[i]);
  return made;
}
Ints range(int64_t first, int64_t count) {
  Ints made;
  for (int64_t i = 0; i < count; ++i) made.push_back(first + i);
  return made;
}
Ints joined(Ints a, const Ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Ints shuffled(int64_t groups, int64_t each) {
  Ints made;
  for (int64_t i = 0; i < groups * each; ++i) made.push_back(i % groups * each + i / groups);
  return made;
}

}  // namespace

OP_CASES_IN(
    "sardonyx", BlockedGather,
    {"one_after_another",
     {counted(20, 100), counted(7, 200)},
     {lanes(joined(range(100, 20), range(200, 7)))},
     {attr("channels", Ints{20, 7}), attr("order", range(0, 27))}},
    {"a_part", {counted(40, 0)}, {lanes(range(9, 22))}, {attr("channels", Ints{40}), attr("order", range(9, 22))}},
    {"one_twice", {counted(3, 0)}, {lanes({2, 2, 0})}, {attr("channels", Ints{3}), attr("order", Ints{2, 2, 0})}},
    {"shuffled",
     {counted(24, 0)},
     {lanes(shuffled(3, 8))},
     {attr("channels", Ints{24}), attr("order", shuffled(3, 8))}},
    {"nothing",
     {f32({0, 1, 3, 16}, {})},
     {f32({0, 1, 3, 16}, {})},
     {attr("channels", Ints{9}), attr("order", Ints{8, 1})}});

OP_REJECTS_IN("sardonyx", BlockedGather, "channels has 1 numbers for 2 inputs",
              {f32({1, 1, 16}, {0}), f32({1, 1, 16}, {0})}, {attr("channels", Ints{9}), attr("order", Ints{0})});
OP_REJECTS_IN("sardonyx", BlockedGather, "order holds 9 of 9 channels", {f32({1, 1, 16}, {0})},
              {attr("channels", Ints{9}), attr("order", Ints{9})});
OP_REJECTS_IN("sardonyx", BlockedGather, "blocks of input 0", {f32({1, 2, 16}, {0})},
              {attr("channels", Ints{9}), attr("order", Ints{8})});
OP_REJECTS_IN("sardonyx", BlockedGather, "channels holds 0", {f32({1, 0, 16}, {})},
              {attr("channels", Ints{0}), attr("order", Ints{0})});

namespace {

std::vector<sdx::Shape> two(uint32_t r) {
  const int64_t batch = 1 + r % 2, height = 1 + r * 5 % 13, width = r % 7 * 40;
  return {{batch, 2, height, width, 16}, {batch, 3, height, width, 16}};
}

}  // namespace
OP_SWEEP_IN("sardonyx", BlockedGather, .inputs = 2, .types = {DType::f32, DType::f16, DType::bf16, DType::f64},
            .attributes = {attr("channels", Ints{29, 35}), attr("order", shuffled(4, 16))}, .shapes = two);
OP_SWEEP_IN("sardonyx", BlockedGather, .inputs = 2,
            .attributes = {attr("channels", Ints{29, 35}), attr("order", range(11, 41))}, .shapes = two);
