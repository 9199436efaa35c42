// A row of a batch has the bits that it has alone, and those of any number of threads.
#include <gtest/gtest.h>

#include "tests/threads/models.h"

namespace sdx::test {
namespace {

using sardonyx::Session;
using sardonyx::SessionOptions;

struct RowCase {
  const char* name;
  const char* op;
  std::vector<onnx::AttributeProto> attributes;
  std::vector<int64_t> row;  // the shape of one row of x
  std::vector<Tensor> weights;
  const char* domain = "";
  size_t result_rank = 0;  // 0: that of x
};

Tensor weight(std::vector<int64_t> shape, uint32_t seed) {
  Tensor made = Tensor::allocate(DType::f32, Shape(shape)).value();
  for (int64_t i = 0; i < made.count(); ++i) {
    seed = seed * 1664525 + 1013904223;
    made.data<float>()[i] = static_cast<float>(seed >> 8) / (1 << 23) - 1;
  }
  return made;
}
Tensor codes(std::vector<int64_t> shape) {
  Tensor made = Tensor::allocate(DType::u8, Shape(shape)).value();
  for (int64_t i = 0; i < made.count(); ++i) made.data<uint8_t>()[i] = static_cast<uint8_t>(i * i * 7 + i / 3);
  return made;
}

std::string model_of(const RowCase& test) {
  static constexpr const char* kNames[] = {"w0", "w1", "w2", "w3"};
  ModelMaker maker(21);
  auto& contrib = maker.proto.opset_import.emplace_back();
  contrib.domain = "com.microsoft";
  contrib.version = 1;
  std::vector<ModelDim> shape{"n"}, result;
  for (const int64_t dim : test.row) shape.emplace_back(static_cast<int>(dim));
  static constexpr const char* kDims[] = {"n", "a", "b", "c", "d"};
  for (size_t i = 0; i < (test.result_rank == 0 ? shape.size() : test.result_rank); ++i) result.emplace_back(kDims[i]);
  maker.input({"x", DType::f32, shape}).output({"y", DType::f32, result});
  std::vector<const char*> inputs{"x"};
  for (size_t i = 0; i < test.weights.size(); ++i) {
    maker.initializer(kNames[i], test.weights[i]);
    inputs.push_back(kNames[i]);
  }
  maker.node({test.op, inputs, {"y"}});
  maker.proto.graph->node.back().attribute = test.attributes;
  maker.proto.graph->node.back().domain = test.domain;
  return maker.bytes();
}

// Rows [first, first + count), each with values of its own.
sardonyx::Value rows(const RowCase& test, int64_t first, int64_t count) {
  const int64_t size = product(test.row);
  std::vector<float> values;
  for (int64_t row = first; row < first + count; ++row) {
    uint32_t seed = static_cast<uint32_t>(row) * 77 + 5;
    for (int64_t i = 0; i < size; ++i) {
      seed = seed * 1664525 + 1013904223;
      values.push_back(static_cast<float>(seed >> 8) / (1 << 23) - 1);
    }
  }
  std::vector<int64_t> shape{count};
  shape.insert(shape.end(), test.row.begin(), test.row.end());
  return sardonyx::Value::tensor<float>(values, shape);
}

std::string run(const Session& session, const sardonyx::Value& x) { return bits_of(session.run({{"x", x}})); }

void expect_rows_alike(const RowCase& test) {
  SCOPED_TRACE(test.name);
  constexpr int64_t kMost = 40;
  const std::string model = model_of(test);
  std::vector<std::string> alone;
  for (const int threads : {1, 3}) {
    const Session session = Session::from_bytes(as_bytes(model), SessionOptions().threads(threads));
    if (alone.empty())
      for (int64_t row = 0; row < kMost; ++row) alone.push_back(run(session, rows(test, row, 1)));
    for (const int64_t batch : {2, 3, 5, 8, 13, 40}) {
      std::string wanted;
      for (int64_t row = 0; row < batch; ++row) wanted += alone[static_cast<size_t>(row)];
      EXPECT_EQ(run(session, rows(test, 0, batch)) == wanted, true)
          << "a batch of " << batch << ", " << threads << " threads";
    }
  }
}

std::vector<int64_t> list(std::initializer_list<int64_t> values) { return values; }

TEST(rows, have_the_same_bits_in_any_batch) {
  std::vector<RowCase> cases;
  cases.push_back({"matmul", "MatMul", {}, {300}, {weight({300, 70}, 1)}});
  cases.push_back({"matmul_one_column", "MatMul", {}, {300}, {weight({300, 1}, 1)}});
  cases.push_back({"matmul_wide", "MatMul", {}, {64}, {weight({64, 3000}, 1)}});
  cases.push_back({"matmul_deep", "MatMul", {}, {5000}, {weight({5000, 33}, 1)}});
  cases.push_back({"matmul_batched", "MatMul", {}, {5, 300}, {weight({300, 70}, 1)}});
  cases.push_back({"gemm", "Gemm", {attribute("transB", int64_t{1})}, {130}, {weight({90, 130}, 1), weight({90}, 2)}});
  cases.push_back({"conv", "Conv", {attribute("pads", list({1, 1, 1, 1}))}, {16, 14, 14}, {weight({24, 16, 3, 3}, 1)}});
  cases.push_back({"conv_1x1", "Conv", {}, {64, 7, 7}, {weight({96, 64, 1, 1}, 1)}});
  cases.push_back({"conv_one_pixel", "Conv", {}, {64, 3, 3}, {weight({96, 64, 3, 3}, 1)}});
  cases.push_back(
      {"conv_depthwise", "Conv", {attribute("group", int64_t{16})}, {16, 14, 14}, {weight({16, 1, 3, 3}, 1)}});
  cases.push_back({"conv_1d", "Conv", {}, {16, 100}, {weight({24, 16, 5}, 1)}});
  cases.push_back({"conv_transpose", "ConvTranspose", {}, {8, 9, 9}, {weight({8, 12, 3, 3}, 1)}});
  cases.push_back({"average_pool", "AveragePool", {attribute("kernel_shape", list({3, 3}))}, {8, 14, 14}, {}});
  cases.push_back({"global_average_pool", "GlobalAveragePool", {}, {40, 13, 13}, {}});
  cases.push_back({"softmax", "Softmax", {}, {7, 1000}, {}});
  cases.push_back({"softmax_middle", "Softmax", {attribute("axis", int64_t{1})}, {7, 100}, {}});
  cases.push_back({"layer_normalization", "LayerNormalization", {}, {700}, {weight({700}, 1), weight({700}, 2)}});
  cases.push_back(
      {"instance_normalization", "InstanceNormalization", {}, {8, 30, 30}, {weight({8}, 1), weight({8}, 2)}});
  cases.push_back({"lp_normalization", "LpNormalization", {}, {700}, {}});
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceL2", "ReduceLogSumExp"}) {
    Tensor axes = Tensor::allocate(DType::i64, Shape{1}).value();
    axes.data<int64_t>()[0] = -1;
    cases.push_back({op, op, {}, {40, 1500}, {axes}});
    axes = Tensor::allocate(DType::i64, Shape{1}).value();
    axes.data<int64_t>()[0] = 1;
    cases.push_back({op, op, {}, {1500, 40}, {axes}});
  }
  cases.push_back({"lstm",
                   "LSTM",
                   {attribute("hidden_size", int64_t{48}), attribute("layout", int64_t{1})},
                   {12, 20},
                   {weight({1, 192, 20}, 1), weight({1, 192, 48}, 2)},
                   "",
                   4});
  cases.push_back({"gru",
                   "GRU",
                   {attribute("hidden_size", int64_t{48}), attribute("layout", int64_t{1})},
                   {12, 20},
                   {weight({1, 144, 20}, 1), weight({1, 144, 48}, 2)},
                   "",
                   4});
  cases.push_back({"einsum", "Einsum", {attribute("equation", "nab,bc->nac")}, {6, 40}, {weight({40, 30}, 1)}});
  for (const int64_t bits : {4, 8})
    for (const int64_t level : {0, 4})
      cases.push_back({"matmul_nbits",
                       "MatMulNBits",
                       {attribute("K", int64_t{200}), attribute("N", int64_t{70}), attribute("bits", bits),
                        attribute("block_size", int64_t{32}), attribute("accuracy_level", level)},
                       {200},
                       {codes({70, 7, 4 * bits}), weight({490}, 3)},
                       "com.microsoft"});
  for (const RowCase& test : cases) expect_rows_alike(test);
}

}  // namespace
}  // namespace sdx::test
