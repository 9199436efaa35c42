// MatMulNBits with rows as they are, and rounded: any number of rows, depth, width of codes, block and kind of zero
// points, at every SIMD level, against the reference. (That a row has the same bits in any batch: tests/bits.)
#include <cmath>
#include <limits>
#include <random>

#include "ops/testing/op_case.h"

namespace sdx::ops::testing {
namespace {

Value random_floats(const Shape& shape, std::mt19937& random) {
  Tensor made = std::move(Tensor::allocate(DType::f32, shape)).value();
  std::normal_distribution<float> values(0, 1);
  for (int64_t i = 0; i < made.count(); ++i) made.data<float>()[i] = values(random);
  return made;
}
Value random_bytes(const Shape& shape, std::mt19937& random) {
  Tensor made = std::move(Tensor::allocate(DType::u8, shape)).value();
  for (int64_t i = 0; i < made.count(); ++i) made.data<uint8_t>()[i] = static_cast<uint8_t>(random());
  return made;
}

Value reference_of(const Case& test) {
  const OpEntry* entry = find_op("com.microsoft", "MatMulNBits");
  Node node;
  node.domain = "com.microsoft";
  node.op = "MatMulNBits";
  node.attributes.list() = test.attributes;
  node.outputs = {100};
  std::vector<const Value*> pointers;
  for (const Value& input : test.inputs) {
    node.inputs.push_back(input.defined() ? static_cast<ValueId>(pointers.size()) : kNoValue);
    pointers.push_back(input.defined() ? &input : nullptr);
  }
  const auto specs = output_specs(*entry->contract, node, pointers);
  EXPECT_TRUE(specs.ok()) << specs.status().message();
  std::vector<Value> outputs(1);
  const Status status = invoke({entry->contract}, node, pointers, *specs, outputs, RunEnvironment());
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs[0];
}

void multiplies_any_number_of_rows(int64_t accuracy_level) {
  std::mt19937 random(17);
  for (const int64_t rows : {1, 2, 3, 4, 5, 6, 7, 12, 13, 23, 64})
    for (const int64_t bits : {2, 4, 8}) {
      const int64_t block = int64_t{16} << random() % 4, n = 1 + static_cast<int64_t>(random() % 300),
                    k = 1 + static_cast<int64_t>(random() % 300), blocks = (k + block - 1) / block;
      const bool has_zeros = random() % 2 == 0, has_bias = random() % 2 == 0;
      Case test{.name = formatted("{} rows, {} bits, {} x {} in blocks of {}{}{}", rows, bits, k, n, block,
                                  has_zeros ? ", zeros" : "", has_bias ? ", bias" : ""),
                .attributes = {attr("K", k), attr("N", n), attr("bits", bits), attr("block_size", block),
                               attr("accuracy_level", accuracy_level)}};
      test.inputs = {random_floats({rows, k}, random), random_bytes({n, blocks, block * bits / 8}, random),
                     random_floats({n, blocks}, random)};
      if (has_zeros || has_bias)
        test.inputs.push_back(has_zeros ? random_bytes({n, (blocks * bits + 7) / 8}, random) : Value());
      if (has_bias) {
        test.inputs.emplace_back();
        test.inputs.push_back(random_floats({n}, random));
      }
      test.expected = {reference_of(test)};
      run_case("com.microsoft", "MatMulNBits", test);
    }
}
TEST(MatMulNBits, takes_any_number_of_rows) { multiplies_any_number_of_rows(0); }
TEST(MatMulNBits, rounds_any_number_of_rows) { multiplies_any_number_of_rows(4); }

// Rows that no three bytes an element hold, among others.
TEST(MatMulNBits, multiplies_rows_of_any_magnitude) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr int64_t kRows = 5, kDepth = 43, kColumns = 70, kBlock = 16, kBlocks = 3;
  std::mt19937 random(23);
  for (const int64_t bits : {2, 4, 8})
    for (const bool has_zeros : {false, true})
      for (const float odd : {std::nanf(""), kInfinity, -kInfinity, 1e-40f, 3e-36f, 1e-20f, 2e33f, 0.0f}) {
        Case test{
            .name = formatted("{} bits, rows of {}{}", bits, odd, has_zeros ? ", zeros" : ""),
            .attributes = {attr("K", kDepth), attr("N", kColumns), attr("bits", bits), attr("block_size", kBlock)}};
        Value x = random_floats({kRows, kDepth}, random);
        float* values = x.tensor().data<float>();
        values[kDepth + 17] = odd;                                          // in one block only
        for (int64_t k = 0; k < kDepth; ++k) values[3 * kDepth + k] = odd;  // a whole row
        if (std::fabs(odd) < 1e-30f)
          for (int64_t i = 0; i < kRows * kDepth; ++i) values[i] = odd * static_cast<float>(i % 7 - 3);
        test.inputs = {x, random_bytes({kColumns, kBlocks, kBlock * bits / 8}, random),
                       random_floats({kColumns, kBlocks}, random)};
        if (has_zeros) test.inputs.push_back(random_bytes({kColumns, (kBlocks * bits + 7) / 8}, random));
        test.expected = {reference_of(test)};
        run_case("com.microsoft", "MatMulNBits", test);
      }
}

}  // namespace
}  // namespace sdx::ops::testing
