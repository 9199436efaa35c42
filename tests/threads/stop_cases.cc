#include "stop_cases.h"

#include <deque>

namespace sdx::test {
namespace {

using Attributes = std::vector<onnx::AttributeProto>;

// Texts that messages point to, for as long as the process lives.
const char* kept(std::string text) {
  static auto& texts = *new std::deque<std::string>;
  return texts.emplace_back(std::move(text)).c_str();
}

std::vector<ModelDim> any_shape(const char* prefix, size_t rank) {
  std::vector<ModelDim> shape;
  for (size_t i = 0; i < rank; ++i) shape.emplace_back(kept(std::string(prefix) + "_" + std::to_string(i)));
  return shape;
}

struct Weight {
  const char* name;
  Tensor tensor;
};
Weight ints(const char* name, const std::vector<int64_t>& values) {
  Tensor made = Tensor::allocate(DType::i64, Shape{static_cast<int64_t>(values.size())}).value();
  std::copy(values.begin(), values.end(), made.data<int64_t>());
  return {name, std::move(made)};
}
Weight floats(const char* name, const std::vector<float>& values) {
  Tensor made = Tensor::allocate(DType::f32, Shape{static_cast<int64_t>(values.size())}).value();
  std::copy(values.begin(), values.end(), made.data<float>());
  return {name, std::move(made)};
}

struct OneNode {
  const char* op;
  Attributes attributes = {};
  std::vector<StopInput> inputs = {};
  std::vector<Weight> weights = {};           // after the inputs
  std::vector<const char*> node_inputs = {};  // empty: inputs, then weights
  size_t outputs = 1;
  int repeat = 1;  // the node so many times, side by side
  DType result = DType::f32;
  size_t result_rank = 0;  // 0: that of the first input
};

StopCase one_node(const char* name, OneNode node) {
  ModelMaker maker(23);
  for (const StopInput& input : node.inputs)
    maker.input({input.name, input.type, any_shape(input.name, input.big.size())});
  std::vector<const char*> names = node.node_inputs;
  if (names.empty()) {
    for (const StopInput& input : node.inputs) names.push_back(input.name);
    for (const Weight& weight : node.weights) names.push_back(weight.name);
  }
  for (Weight& weight : node.weights) maker.initializer(weight.name, std::move(weight.tensor));
  const size_t rank = node.result_rank == 0 ? node.inputs[0].big.size() : node.result_rank;
  for (int i = 0; i < node.repeat; ++i) {
    std::vector<const char*> outputs(node.outputs, "");
    for (size_t o = 0; o < node.outputs; ++o)
      outputs[o] = kept("y" + std::to_string(i) + (o == 0 ? "" : "_" + std::to_string(o)));
    maker.node({node.op, names, outputs});
    maker.proto.graph->node.back().attribute = node.attributes;
    maker.output({outputs[0], node.result, any_shape(outputs[0], rank)});
  }
  return {name, maker.bytes(), std::move(node.inputs)};
}

// y = x + 1, as often as `trips` says.
StopCase loop() {
  ModelMaker body(23);
  body.input({"i", DType::i64, {}}).input({"go_on", DType::boolean, {}}).input({"v", DType::f32, {}});
  Tensor one = scalar_f32(1);
  body.initializer("one", one).node({"Add", {"v", "one"}, {"v_out"}}).node({"Identity", {"go_on"}, {"go_on_out"}});
  body.output({"go_on_out", DType::boolean, {}}).output({"v_out", DType::f32, {}});
  ModelMaker maker(23);
  maker.input({"trips", DType::i64, {}}).input({"x", DType::f32, {}});
  maker.node({"Loop", {"trips", "", "x"}, {"y"}}).output({"y", DType::f32, {}});
  onnx::AttributeProto attribute;
  attribute.name = "body";
  attribute.type = 5;
  attribute.g.make() = *body.proto.graph;
  maker.proto.graph->node.back().attribute.push_back(std::move(attribute));
  return {"loop", maker.bytes(), {{"trips", DType::i64, {}, {}}, {"x", DType::f32, {}, {}}}};
}

Attributes pads(int64_t each) { return {attribute("pads", std::vector<int64_t>(4, each))}; }

}  // namespace

std::vector<StopCase> main_stop_cases() {
  std::vector<StopCase> cases;
  cases.push_back(one_node("conv", {.op = "Conv",
                                    .attributes = pads(1),
                                    .inputs = {{"x", DType::f32, {1, 512, 256, 256}, {1, 4, 9, 9}},
                                               {"w", DType::f32, {512, 512, 3, 3}, {8, 4, 3, 3}}}}));
  cases.push_back(one_node(
      "matmul",
      {.op = "MatMul", .inputs = {{"a", DType::f32, {5000, 5000}, {7, 5}}, {"b", DType::f32, {5000, 5000}, {5, 9}}}}));
  cases.push_back(loop());
  return cases;
}

std::vector<StopCase> other_stop_cases() {
  const std::vector<int64_t> image = {1, 32, 1024, 1024}, small_image = {1, 2, 9, 7}, flat = {32, 1 << 20},
                             small_flat = {3, 11};
  const std::vector<int64_t> filter = {32, 32, 3, 3}, small_filter = {4, 2, 3, 3};
  std::vector<StopCase> cases;
  const auto add = [&](const char* name, OneNode node) { cases.push_back(one_node(name, std::move(node))); };
  add("gemm",
      {.op = "Gemm", .inputs = {{"a", DType::f32, {5000, 5000}, {7, 5}}, {"b", DType::f32, {5000, 5000}, {5, 9}}}});
  add("matmul_few_rows", {.op = "MatMul",
                          .inputs = {{"a", DType::f32, {1, 20000}, {1, 5}}, {"b", DType::f32, {20000, 20000}, {5, 9}}},
                          .repeat = 20});
  add("matmul_deep", {.op = "MatMul",
                      .inputs = {{"a", DType::f32, {6, 1 << 25}, {7, 5}}, {"b", DType::f32, {1 << 25, 12}, {5, 9}}},
                      .repeat = 4});
  add("matmul_integer", {.op = "MatMulInteger",
                         .inputs = {{"a", DType::u8, {4000, 4000}, {7, 5}}, {"b", DType::u8, {4000, 4000}, {5, 9}}},
                         .result = DType::i32});
  add("matmul_half", {.op = "MatMul",
                      .inputs = {{"a", DType::f16, {3000, 3000}, {7, 5}}, {"b", DType::f16, {3000, 3000}, {5, 9}}},
                      .result = DType::f16});
  add("matmul_double", {.op = "MatMul",
                        .inputs = {{"a", DType::f64, {3000, 3000}, {7, 5}}, {"b", DType::f64, {3000, 3000}, {5, 9}}},
                        .result = DType::f64});
  add("conv_depthwise",
      {.op = "Conv",
       .attributes = {attribute("group", int64_t{32}), attribute("pads", std::vector<int64_t>{4, 4, 4, 4})},
       .inputs = {{"x", DType::f32, {4, 32, 1024, 1024}, {1, 32, 9, 9}},
                  {"w", DType::f32, {32, 1, 9, 9}, {32, 1, 9, 9}}},
       .repeat = 6});
  add("conv_double",
      {.op = "Conv",
       .inputs = {{"x", DType::f64, {1, 32, 256, 256}, {1, 2, 9, 9}}, {"w", DType::f64, filter, small_filter}},
       .result = DType::f64});
  add("conv_integer",
      {.op = "ConvInteger",
       .inputs = {{"x", DType::u8, {1, 256, 512, 512}, {1, 2, 9, 9}}, {"w", DType::u8, {256, 256, 3, 3}, small_filter}},
       .result = DType::i32});
  add("conv_transpose", {.op = "ConvTranspose",
                         .inputs = {{"x", DType::f32, {1, 256, 256, 256}, {1, 4, 5, 5}},
                                    {"w", DType::f32, {256, 256, 3, 3}, {4, 2, 3, 3}}}});
  const auto recurrent = [&](const char* name, const char* op, int64_t gates) {
    add(name, {.op = op,
               .attributes = {attribute("hidden_size", int64_t{512})},
               .inputs = {{"x", DType::f32, {4000, 1, 256}, {3, 1, 256}},
                          {"w", DType::f32, {1, gates * 512, 256}, {1, gates * 512, 256}},
                          {"r", DType::f32, {1, gates * 512, 512}, {1, gates * 512, 512}}},
               .result_rank = 4});
  };
  recurrent("lstm", "LSTM", 4);
  recurrent("gru", "GRU", 3);
  recurrent("rnn", "RNN", 1);
  add("attention", {.op = "Attention",
                    .inputs = {{"q", DType::f32, {1, 16, 16384, 64}, {1, 16, 5, 64}},
                               {"k", DType::f32, {1, 16, 16384, 64}, {1, 16, 5, 64}},
                               {"v", DType::f32, {1, 16, 16384, 64}, {1, 16, 5, 64}}}});
  add("attention_double", {.op = "Attention",
                           .inputs = {{"q", DType::f64, {1, 8, 4096, 64}, {1, 8, 5, 64}},
                                      {"k", DType::f64, {1, 8, 4096, 64}, {1, 8, 5, 64}},
                                      {"v", DType::f64, {1, 8, 4096, 64}, {1, 8, 5, 64}}},
                           .result = DType::f64});
  add("einsum", {.op = "Einsum",
                 .attributes = {attribute("equation", "abc,cd,de->abe")},
                 .inputs = {{"x", DType::f32, {64, 64, 256}, {2, 3, 4}},
                            {"w", DType::f32, {256, 256}, {4, 5}},
                            {"u", DType::f32, {256, 256}, {5, 6}}}});
  for (const char* op : {"Tanh", "Gelu", "Sin", "Acosh", "Selu", "Softmax", "LogSoftmax", "Hardmax", "Mish", "Sqrt"})
    add(op, {.op = op, .inputs = {{"x", DType::f32, flat, small_flat}}, .repeat = 12});
  for (const char* op : {"Exp", "Erf", "Neg", "Softmax", "LpNormalization"})
    add(kept(std::string(op) + "_double"),
        {.op = op, .inputs = {{"x", DType::f64, flat, small_flat}}, .repeat = 4, .result = DType::f64});
  for (const char* op : {"Add", "Pow", "Div", "PRelu", "Min"})
    add(op,
        {.op = op, .inputs = {{"x", DType::f32, flat, small_flat}, {"z", DType::f32, flat, small_flat}}, .repeat = 12});
  add("Mod", {.op = "Mod",
              .inputs = {{"x", DType::i64, flat, small_flat}},
              .weights = {ints("z", {7})},
              .repeat = 4,
              .result = DType::i64});
  add("Greater", {.op = "Greater",
                  .inputs = {{"x", DType::f64, flat, small_flat}, {"z", DType::f64, flat, small_flat}},
                  .repeat = 40,
                  .result = DType::boolean});
  add("Cast", {.op = "Cast",
               .attributes = {attribute("to", int64_t{11})},
               .inputs = {{"x", DType::f32, flat, small_flat}},
               .repeat = 12,
               .result = DType::f64});
  add("CastToFp8", {.op = "Cast",
                    .attributes = {attribute("to", int64_t{17})},
                    .inputs = {{"x", DType::f32, flat, small_flat}},
                    .repeat = 4,
                    .result = DType::f8e4m3fn});
  add("CastToText", {.op = "Cast",
                     .attributes = {attribute("to", int64_t{8})},
                     .inputs = {{"x", DType::f32, flat, small_flat}},
                     .result = DType::string});
  for (const char* op : {"ReduceSum", "ReduceMax", "ReduceL2", "ReduceLogSumExp", "ReduceProd", "ReduceMean"}) {
    add(op, {.op = op, .inputs = {{"x", DType::f32, flat, small_flat}}, .weights = {ints("axes", {1})}, .repeat = 60});
    add(kept(std::string(op) + "_rows_double"), {.op = op,
                                                 .inputs = {{"x", DType::f64, flat, small_flat}},
                                                 .weights = {ints("axes", {0})},
                                                 .repeat = 4,
                                                 .result = DType::f64});
  }
  for (const char* op : {"ArgMax", "ArgMin"})
    add(op, {.op = op, .inputs = {{"x", DType::f32, flat, small_flat}}, .repeat = 30, .result = DType::i64});
  add("ArgMax_double",
      {.op = "ArgMax", .inputs = {{"x", DType::f64, flat, small_flat}}, .repeat = 4, .result = DType::i64});
  add("CumSum",
      {.op = "CumSum", .inputs = {{"x", DType::f32, flat, small_flat}}, .weights = {ints("axis", {1})}, .repeat = 6});
  add("TopK", {.op = "TopK",
               .inputs = {{"x", DType::f32, {8, 1 << 22}, {3, 11}}},
               .weights = {ints("k", {4})},
               .outputs = 2,
               .repeat = 20});
  add("TopK_sorts", {.op = "TopK",
                     .inputs = {{"x", DType::f32, {1, 1 << 22}, {1, 1 << 21}}},
                     .weights = {ints("k", {1 << 21})},
                     .outputs = 2,
                     .repeat = 20});
  add("TopK_double", {.op = "TopK",
                      .inputs = {{"x", DType::f64, {8, 1 << 22}, {3, 11}}},
                      .weights = {ints("k", {4})},
                      .outputs = 2,
                      .repeat = 10,
                      .result = DType::f64});
  add("Unique", {.op = "Unique", .inputs = {{"x", DType::f32, {1 << 22}, {11}}}, .outputs = 4, .repeat = 16});
  add("NonZero",
      {.op = "NonZero", .inputs = {{"x", DType::f32, flat, small_flat}}, .repeat = 10, .result = DType::i64});
  add("NonMaxSuppression",
      {.op = "NonMaxSuppression",
       .inputs = {{"boxes", DType::f32, {1, 200000, 4}, {1, 9, 4}}, {"scores", DType::f32, {1, 80, 200000}, {1, 2, 9}}},
       .weights = {ints("most", {100000}), floats("iou", {0.5f}), floats("score", {-1.0f})},
       .result = DType::i64,
       .result_rank = 2});
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    add(kept(std::string("Resize_") + mode), {.op = "Resize",
                                              .attributes = {attribute("mode", mode)},
                                              .inputs = {{"x", DType::f32, {1, 32, 1024, 1024}, small_image}},
                                              .weights = {floats("scales", {1, 1, 1.5f, 1.5f})},
                                              .node_inputs = {"x", "", "scales"},
                                              .repeat = 4});
    add(kept(std::string("Resize_double_") + mode), {.op = "Resize",
                                                     .attributes = {attribute("mode", mode)},
                                                     .inputs = {{"x", DType::f64, {1, 2, 1024, 1024}, small_image}},
                                                     .weights = {floats("scales", {1, 1, 1.5f, 1.5f})},
                                                     .node_inputs = {"x", "", "scales"},
                                                     .repeat = 40,
                                                     .result = DType::f64});
  }
  add("MaxPool", {.op = "MaxPool",
                  .attributes = {attribute("kernel_shape", std::vector<int64_t>{5, 5})},
                  .inputs = {{"x", DType::f32, image, small_image}},
                  .repeat = 20});
  add("AveragePool", {.op = "AveragePool",
                      .attributes = {attribute("kernel_shape", std::vector<int64_t>{5, 5})},
                      .inputs = {{"x", DType::f32, image, small_image}},
                      .repeat = 20});
  add("LpPool", {.op = "LpPool",
                 .attributes = {attribute("kernel_shape", std::vector<int64_t>{5, 5})},
                 .inputs = {{"x", DType::f32, image, small_image}},
                 .repeat = 4});
  add("GlobalLpPool", {.op = "GlobalLpPool", .inputs = {{"x", DType::f32, image, small_image}}, .repeat = 20});
  add("LRN", {.op = "LRN",
              .attributes = {attribute("size", int64_t{5})},
              .inputs = {{"x", DType::f32, image, small_image}},
              .repeat = 4});
  add("Transpose", {.op = "Transpose", .inputs = {{"x", DType::f32, flat, small_flat}}, .repeat = 12});
  add("Transpose_text_width",
      {.op = "Transpose", .inputs = {{"x", DType::u8, flat, small_flat}}, .repeat = 12, .result = DType::u8});
  add("Trilu", {.op = "Trilu", .inputs = {{"x", DType::f32, flat, small_flat}}, .repeat = 12});
  add("Tile", {.op = "Tile",
               .inputs = {{"x", DType::f32, flat, small_flat}},
               .weights = {ints("repeats", {2, 2})},
               .repeat = 4});
  add("Pad", {.op = "Pad",
              .inputs = {{"x", DType::f32, flat, small_flat}},
              .weights = {ints("pads", {1, 1, 1, 1})},
              .repeat = 8});
  add("DepthToSpace", {.op = "DepthToSpace",
                       .attributes = {attribute("blocksize", int64_t{2})},
                       .inputs = {{"x", DType::f32, image, {1, 4, 3, 3}}},
                       .repeat = 12});
  add("OneHot", {.op = "OneHot",
                 .inputs = {{"x", DType::i64, {1 << 22}, {5}}},
                 .weights = {ints("depth", {16}), floats("values", {0, 1})},
                 .repeat = 6,
                 .result_rank = 2});
  add("GatherElements", {.op = "GatherElements",
                         .inputs = {{"x", DType::f32, flat, small_flat}, {"i", DType::i64, flat, small_flat}},
                         .repeat = 12});
  add("GatherND", {.op = "GatherND",
                   .inputs = {{"x", DType::f32, {64, 64}, {3, 3}}, {"i", DType::i64, {1 << 21, 2}, {5, 2}}},
                   .repeat = 48,
                   .result_rank = 1});
  add("ScatterND", {.op = "ScatterND",
                    .attributes = {attribute("reduction", "add")},
                    .inputs = {{"x", DType::f32, {64, 64}, {3, 3}},
                               {"i", DType::i64, {1 << 21, 2}, {5, 2}},
                               {"u", DType::f32, {1 << 21}, {5}}},
                    .repeat = 48});
  add("ScatterElements", {.op = "ScatterElements",
                          .attributes = {attribute("reduction", "add")},
                          .inputs = {{"x", DType::f32, flat, small_flat},
                                     {"i", DType::i64, flat, small_flat},
                                     {"u", DType::f32, flat, small_flat}},
                          .repeat = 4});
  add("LayerNormalization", {.op = "LayerNormalization",
                             .inputs = {{"x", DType::f32, flat, small_flat}, {"s", DType::f32, {1 << 20}, {11}}},
                             .repeat = 20});
  add("LayerNormalization_double", {.op = "LayerNormalization",
                                    .inputs = {{"x", DType::f64, flat, small_flat}, {"s", DType::f64, {1 << 20}, {11}}},
                                    .repeat = 4,
                                    .result = DType::f64});
  add("InstanceNormalization",
      {.op = "InstanceNormalization",
       .inputs = {{"x", DType::f32, image, small_image}, {"s", DType::f32, {32}, {2}}, {"b", DType::f32, {32}, {2}}},
       .repeat = 20});
  add("QuantizeLinear", {.op = "QuantizeLinear",
                         .inputs = {{"x", DType::f32, flat, small_flat}},
                         .weights = {floats("s", {0.5f})},
                         .repeat = 20,
                         .result = DType::u8});
  add("GridSample", {.op = "GridSample",
                     .inputs = {{"x", DType::f32, {1, 8, 256, 256}, small_image},
                                {"g", DType::f32, {1, 1024, 1024, 2}, {1, 3, 4, 2}}},
                     .repeat = 6});
  add("RoiAlign", {.op = "RoiAlign",
                   .attributes = {attribute("output_height", int64_t{14}), attribute("output_width", int64_t{14})},
                   .inputs = {{"x", DType::f32, {1, 64, 128, 128}, small_image},
                              {"r", DType::f32, {2000, 4}, {2, 4}},
                              {"b", DType::i64, {2000}, {2}}},
                   .repeat = 4});
  add("DeformConv", {.op = "DeformConv",
                     .inputs = {{"x", DType::f32, {1, 32, 130, 130}, {1, 2, 9, 9}},
                                {"w", DType::f32, filter, small_filter},
                                {"o", DType::f32, {1, 18, 128, 128}, {1, 18, 7, 7}}}});
  add("DFT", {.op = "DFT", .inputs = {{"x", DType::f32, {1, 1 << 20, 1}, {1, 12, 1}}}, .repeat = 40});
  add("DFT_prime", {.op = "DFT", .inputs = {{"x", DType::f32, {1, 400009, 1}, {1, 13, 1}}}, .repeat = 20});
  add("Det", {.op = "Det", .inputs = {{"x", DType::f32, {40, 1500, 1500}, {2, 3, 3}}}, .result_rank = 1});
  add("Bernoulli", {.op = "Bernoulli",
                    .attributes = {attribute("seed", 1.0f)},
                    .inputs = {{"x", DType::f32, flat, small_flat}},
                    .repeat = 6});
  add("NegativeLogLikelihoodLoss",
      {.op = "NegativeLogLikelihoodLoss",
       .attributes = {attribute("reduction", "none")},
       .inputs = {{"x", DType::f32, {1 << 17, 8}, {5, 8}}, {"t", DType::i64, {1 << 17}, {5}}},
       .repeat = 200,
       .result_rank = 1});
  add("Col2Im", {.op = "Col2Im",
                 .inputs = {{"x", DType::f32, {1, 9 * 8, 510 * 510}, {1, 9, 510 * 510}}},
                 .weights = {ints("image", {512, 512}), ints("block", {3, 3})},
                 .repeat = 30,
                 .result_rank = 4});
  add("MaxUnpool", {.op = "MaxUnpool",
                    .attributes = {attribute("kernel_shape", std::vector<int64_t>{2, 2}),
                                   attribute("strides", std::vector<int64_t>{2, 2})},
                    .inputs = {{"x", DType::f32, image, small_image}, {"i", DType::i64, image, small_image}},
                    .repeat = 6});
  return cases;
}

}  // namespace sdx::test
