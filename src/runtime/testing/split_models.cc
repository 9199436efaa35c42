#include "runtime/testing/split_models.h"

#include <cmath>

namespace sdx::runtime {

using onnx::attr;
using onnx::ModelBuilder;

Tensor wave_tensor(std::vector<int64_t> shape, double start) {
  Tensor tensor = Tensor::allocate(DType::f32, shape).value();
  for (int64_t i = 0; i < tensor.count(); ++i)
    tensor.data<float>()[i] = static_cast<float>(std::sin(start + 0.7 * static_cast<double>(i)));
  return tensor;
}

namespace {

Tensor positive_tensor(std::vector<int64_t> shape, double start) {
  Tensor tensor = wave_tensor(std::move(shape), start);
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = tensor.data<float>()[i] / 4 + 1;
  return tensor;
}

Tensor ints(std::vector<int64_t> values) { return vector_i64(values); }
Tensor flag(bool value) { return make_tensor<bool>(DType::boolean, {}, {&value, 1}); }

SplitModel perceptron() {
  SplitModel model{"perceptron", ModelBuilder(17), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n", "6"});
  b.initializer("w1", wave_tensor({6, 8}));
  b.initializer("b1", wave_tensor({8}, 1));
  b.initializer("w2", wave_tensor({8, 3}, 2));
  b.initializer("b2", wave_tensor({3}, 3));
  b.node("Gemm", {"x", "w1", "b1"}, {"h"});
  b.node("Relu", {"h"}, {"a"});
  b.node("Dropout", {"a"}, {"d"});
  b.node("MatMul", {"d", "w2"}, {"m"});
  b.node("Add", {"m", "b2"}, {"l"});
  b.node("Softmax", {"l"}, {"y"});
  b.node("ArgMax", {"y"}, {"class"}, {attr("axis", 1), attr("keepdims", 0)});
  b.output("y", DType::f32, {"n", "3"});
  b.output("class", DType::i64, {"n"});
  b.output("a", DType::f32, {"n", "8"});
  model.feeds = {{{"x", wave_tensor({3, 6})}}, {{"x", wave_tensor({1, 6}, 5)}}, {{"x", wave_tensor({0, 6})}}};
  return model;
}

SplitModel convolutions() {
  SplitModel model{"convolutions", ModelBuilder(13), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n", "3", "h", "h"});
  b.initializer("k1", wave_tensor({4, 3, 3, 3}));
  b.initializer("k2", wave_tensor({4, 4, 3, 3}, 1));
  for (const char* name : {"scale", "shift", "mean"}) b.initializer(name, wave_tensor({4}, name[1]));
  b.initializer("variance", positive_tensor({4}, 2));
  b.initializer("w", wave_tensor({5, 4}, 2));
  const auto pads = attr("pads", std::vector<int64_t>{1, 1, 1, 1});
  b.node("Conv", {"x", "k1"}, {"c1"}, {pads});
  b.node("BatchNormalization", {"c1", "scale", "shift", "mean", "variance"}, {"n1"});
  b.node("Relu", {"n1"}, {"r1"});
  b.node("Conv", {"r1", "k2"}, {"c2"}, {pads});
  b.node("Add", {"c2", "r1"}, {"s"});
  b.node("MaxPool", {"s"}, {"p"}, {attr("kernel_shape", std::vector<int64_t>{2, 2})});
  b.node("Sigmoid", {"p"}, {"g"});
  b.node("Mul", {"p", "g"}, {"swish"});
  b.node("GlobalAveragePool", {"swish"}, {"pool"});
  b.node("Flatten", {"pool"}, {"flat"});
  b.node("Gemm", {"flat", "w"}, {"y"}, {attr("transB", 1)});
  b.output("y", DType::f32, {"n", "5"});
  model.feeds = {{{"x", wave_tensor({2, 3, 6, 6})}}, {{"x", wave_tensor({1, 3, 5, 5}, 1)}}};
  return model;
}

// One layer of a transformer, with shapes computed as exporters do.
SplitModel attention() {
  SplitModel model{"attention", ModelBuilder(17), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"batch", "seq", "8"});
  for (const char* name : {"wq", "wk", "wv", "wo"}) b.initializer(name, wave_tensor({8, 8}, name[1]));
  b.initializer("gamma", wave_tensor({8}, 4));
  b.initializer("beta", wave_tensor({8}, 5));
  b.initializer("heads", ints({2, 4}));
  b.initializer("width", ints({8}));
  b.initializer("zero", ints({0}));
  b.initializer("two", ints({2}));
  b.initializer("root", scalar_f32(2));
  b.node("Shape", {"x"}, {"shape"});
  b.node("Slice", {"shape", "zero", "two"}, {"lead"});
  b.node("Concat", {"lead", "heads"}, {"split"}, {attr("axis", 0)});
  b.node("Concat", {"lead", "width"}, {"joined"}, {attr("axis", 0)});
  for (const std::string one : {"q", "k", "v"}) {
    b.node("MatMul", {"x", "w" + one}, {one + "m"});
    b.node("Reshape", {one + "m", "split"}, {one + "s"});
    const std::vector<int64_t> perm = one == "k" ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3};
    b.node("Transpose", {one + "s"}, {one}, {attr("perm", perm)});
  }
  b.node("MatMul", {"q", "k"}, {"scores"});
  b.node("Div", {"scores", "root"}, {"scaled"});
  b.node("Softmax", {"scaled"}, {"p"});
  b.node("MatMul", {"p", "v"}, {"mixed"});
  b.node("Transpose", {"mixed"}, {"back"}, {attr("perm", std::vector<int64_t>{0, 2, 1, 3})});
  b.node("Reshape", {"back", "joined"}, {"flat"});
  b.node("MatMul", {"flat", "wo"}, {"o"});
  b.node("Add", {"o", "x"}, {"sum"});
  b.node("LayerNormalization", {"sum", "gamma", "beta"}, {"y"});
  b.output("y", DType::f32, {"batch", "seq", "8"});
  model.feeds = {{{"x", wave_tensor({2, 3, 8})}}, {{"x", wave_tensor({1, 5, 8}, 1)}}};
  return model;
}

// Sizes that the data decide, and what is made of them.
SplitModel choosing() {
  SplitModel model{"choosing", ModelBuilder(17), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n"});
  b.input("z", DType::f32, {"n"});
  b.node("Relu", {"x"}, {"a"});
  b.node("NonZero", {"a"}, {"at"});
  b.initializer("axes", ints({0}));
  b.node("Squeeze", {"at", "axes"}, {"places"});
  b.node("Gather", {"a", "places"}, {"chosen"});
  b.node("Exp", {"chosen"}, {"e"});
  b.node("ReduceSum", {"e"}, {"total"}, {attr("keepdims", 0)});
  b.node("Div", {"e", "total"}, {"y"});
  b.node("Concat", {"a", "z"}, {"both"}, {attr("axis", 0)});
  b.node("Neg", {"both"}, {"negative"});
  b.output("y", DType::f32, {"m"});
  b.output("negative", DType::f32, {"k"});
  model.feeds = {{{"x", wave_tensor({7})}, {"z", wave_tensor({7}, 1)}},
                 {{"x", wave_tensor({4}, 2)}, {"z", wave_tensor({9}, 1)}},  // what n says does not hold
                 {{"x", wave_tensor({7})}, {"z", wave_tensor({7}, 1)}}};
  return model;
}

// Old forms, whose upgrades make helper nodes.
SplitModel old_forms() {
  SplitModel model{"old_forms", ModelBuilder(9), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n", "6"});
  b.node("Clip", {"x"}, {"c"}, {attr("min", -0.5f), attr("max", 0.5f)});
  b.node("Unsqueeze", {"c"}, {"u"}, {attr("axes", std::vector<int64_t>{1})});
  b.node("Softmax", {"u"}, {"s"}, {attr("axis", 1)});
  b.node("Squeeze", {"s"}, {"q"}, {attr("axes", std::vector<int64_t>{1})});
  b.node("Split", {"q"}, {"l", "r"}, {attr("axis", 1), attr("split", std::vector<int64_t>{2, 4})});
  b.node("ReduceSum", {"r"}, {"t"}, {attr("axes", std::vector<int64_t>{1})});
  b.node("Slice", {"l"}, {"first"},
         {attr("axes", std::vector<int64_t>{1}), attr("starts", std::vector<int64_t>{0}),
          attr("ends", std::vector<int64_t>{1})});
  b.node("Add", {"first", "t"}, {"y"});
  b.output("y", DType::f32, {"n", "1"});
  model.feeds = {{{"x", wave_tensor({3, 6})}}, {{"x", wave_tensor({2, 6}, 3)}}};
  return model;
}

SplitModel sequences() {
  SplitModel model{"sequences", ModelBuilder(17), {}};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n", "4"});
  b.initializer("one", scalar_i64(1));
  b.node("Tanh", {"x"}, {"t"});
  b.node("SplitToSequence", {"t"}, {"rows"}, {attr("axis", 1)});
  b.node("SequenceAt", {"rows", "one"}, {"second"});
  b.node("SequenceErase", {"rows", "one"}, {"rest"});
  b.node("ConcatFromSequence", {"rest"}, {"joined"}, {attr("axis", 1)});
  b.node("Mul", {"joined", "second"}, {"y"});
  b.output("y", DType::f32, {"n", "3"});
  model.feeds = {{{"x", wave_tensor({3, 4})}}, {{"x", wave_tensor({5, 4}, 3)}}};
  return model;
}

SplitModel branches() {
  SplitModel model{"branches", ModelBuilder(17), {}, true};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n", "4"});
  b.input("c", DType::boolean, {});
  b.node("Sigmoid", {"x"}, {"a"});
  ModelBuilder yes(17), no(17), inner_yes(17), inner_no(17);
  inner_yes.node("Mul", {"a", "x"}, {"iy"});
  inner_yes.output("iy", DType::f32, {});
  inner_no.node("Sub", {"a", "t"}, {"in"});
  inner_no.output("in", DType::f32, {});
  yes.node("Exp", {"a"}, {"t"});
  yes.node_with_graphs("If", {"c"}, {"deep"}, {{"then_branch", inner_yes}, {"else_branch", inner_no}});
  yes.node("Add", {"t", "deep"}, {"ty"});
  yes.output("ty", DType::f32, {});
  no.node("Neg", {"x"}, {"m"});
  no.node("Relu", {"m"}, {"ny"});
  no.output("ny", DType::f32, {});
  b.node_with_graphs("If", {"c"}, {"chosen"}, {{"then_branch", yes}, {"else_branch", no}});
  b.node("Add", {"chosen", "a"}, {"y"});
  b.output("y", DType::f32, {"n", "4"});
  for (const bool condition : {true, false})
    model.feeds.push_back({{"x", wave_tensor({3, 4})}, {"c", flag(condition)}});
  return model;
}

SplitModel loops() {
  SplitModel model{"loops", ModelBuilder(17), {}, true};
  ModelBuilder& b = model.builder;
  b.input("x", DType::f32, {"n"});
  b.input("trips", DType::i64, {});
  b.initializer("go", flag(true));
  b.node("Relu", {"x"}, {"start"});
  b.node("Cos", {"x"}, {"step"});
  ModelBuilder body(17);
  body.input("i", DType::i64, {});
  body.input("on", DType::boolean, {});
  body.input("sum", DType::f32, {"n"});
  body.node("Identity", {"on"}, {"still"});
  body.node("Mul", {"sum", "step"}, {"m"});
  body.node("Add", {"m", "start"}, {"next"});
  body.node("Tanh", {"next"}, {"row"});
  body.output("still", DType::boolean, {});
  body.output("next", DType::f32, {"n"});
  body.output("row", DType::f32, {"n"});
  b.node_with_graphs("Loop", {"trips", "go", "start"}, {"last", "rows"}, {{"body", body}});
  b.node("Sub", {"last", "step"}, {"y"});
  b.node("Abs", {"rows"}, {"z"});
  b.output("y", DType::f32, {"n"});
  b.output("z", DType::f32, {"t", "n"});
  for (const int64_t trips : {3, 0, 5}) model.feeds.push_back({{"x", wave_tensor({4})}, {"trips", scalar_i64(trips)}});
  return model;
}

// Numbers from a seed, the same everywhere.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  size_t below(size_t n) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return static_cast<size_t>(state_ >> 33) % n;
  }

 private:
  uint64_t state_;
};

class RandomGraph {
 public:
  RandomGraph(Dice& dice, ModelBuilder& builder, std::vector<std::string> known, std::string prefix)
      : dice_(dice), b_(builder), values_(std::move(known)), prefix_(std::move(prefix)) {}

  void grow(size_t nodes, int depth) {
    for (size_t i = 0; i < nodes; ++i) add(depth);
  }
  std::string last() const { return values_.back(); }
  std::string any() { return values_[dice_.below(values_.size())]; }
  bool has_bodies() const { return has_bodies_; }

 private:
  std::string fresh() { return formatted("{}v{}", prefix_, count_++); }
  // Rather what was made last: graphs get deep.
  std::string pick() {
    const size_t recent = std::min<size_t>(values_.size(), 5);
    return dice_.below(3) == 0 ? any() : values_[values_.size() - 1 - dice_.below(recent)];
  }
  std::string one(std::string_view op, std::vector<std::string> inputs, std::vector<Attribute> attributes = {}) {
    const std::string y = fresh();
    b_.node(op, inputs, {y}, attributes, formatted("{}{}", prefix_, count_++));
    return y;
  }

  void add(int depth) {
    static constexpr std::string_view kOne[] = {"Relu", "Tanh", "Neg", "Sigmoid", "Abs", "Identity", "Softmax", "Cos"};
    static constexpr std::string_view kTwo[] = {"Add", "Mul", "Sub", "Max"};
    const std::string x = pick();
    switch (dice_.below(depth > 0 ? 12 : 11)) {
      case 0:
      case 1:
      case 2: return keep(one(kOne[dice_.below(std::size(kOne))], {x}));
      case 3:
      case 4:
      case 5: return keep(one(kTwo[dice_.below(std::size(kTwo))], {x, pick()}));
      case 6: {
        const std::string w = fresh();
        b_.initializer(w, wave_tensor({4, 4}, static_cast<double>(count_)));
        return keep(one("MatMul", {x, w}));
      }
      case 7: {
        const std::string left = fresh(), right = fresh();
        b_.node("Split", {x}, {left, right}, {attr("axis", 1)});
        return keep(one("Concat", {right, left}, {attr("axis", 1)}));
      }
      case 8: {
        const std::string shape = one("Shape", {pick()});
        const std::string turned = one("Transpose", {one("Transpose", {x})});
        return keep(one("Reshape", {turned, shape}));
      }
      case 9: return keep(one("Where", {one("Greater", {x, pick()}), x, pick()}));
      case 10: {
        const std::string wide = one("Cast", {x}, {attr("to", 11)});
        return keep(one("Cast", {one("Exp", {wide})}, {attr("to", 1)}));
      }
      default: return add_branches(depth - 1);
    }
  }

  void add_branches(int depth) {
    has_bodies_ = true;
    const std::string y = fresh(), condition = fresh();
    b_.initializer(prefix_ + "zero" + y, scalar_f32(0));
    const std::string sum = one("ReduceSum", {pick()}, {attr("keepdims", 0)});
    b_.node("Greater", {sum, prefix_ + "zero" + y}, {condition});
    std::vector<std::pair<std::string, ModelBuilder>> bodies;
    for (const std::string name : {"then_branch", "else_branch"}) {
      ModelBuilder body(17);
      RandomGraph inner(dice_, body, values_, formatted("{}{}_", y, name[0]));
      inner.grow(2 + dice_.below(4), depth);
      const std::string result = inner.one("Identity", {inner.last()});
      body.output(result, DType::f32, {"", "4"});
      bodies.emplace_back(name, std::move(body));
    }
    b_.node_with_graphs("If", {condition}, {y}, bodies);
    keep(y);
  }

  void keep(std::string value) { values_.push_back(std::move(value)); }

  Dice& dice_;
  ModelBuilder& b_;
  std::vector<std::string> values_;
  std::string prefix_;
  size_t count_ = 0;
  bool has_bodies_ = false;
};

}  // namespace

std::vector<SplitModel> handmade_models() {
  std::vector<SplitModel> models;
  for (const auto make : {perceptron, convolutions, attention, choosing, old_forms, sequences, branches, loops})
    models.push_back(make());
  return models;
}

SplitModel random_model(uint64_t seed) {
  SplitModel model{formatted("random {}", seed), ModelBuilder(17), {}};
  Dice dice(seed);
  model.builder.input("x", DType::f32, {"n", "4"});
  model.builder.input("z", DType::f32, {"n", "4"});
  RandomGraph graph(dice, model.builder, {"x", "z"}, "");
  graph.grow(6 + dice.below(25), seed % 3 == 0 ? 2 : 0);
  std::vector<std::string> outputs{graph.last()};
  for (size_t i = 0; i < 2; ++i) {
    const std::string more = graph.any();
    if (more != "x" && more != "z" && more != outputs.front() && more != outputs.back()) outputs.push_back(more);
  }
  for (const std::string& output : outputs) model.builder.output(output, DType::f32, {"n", "4"});
  model.has_bodies = graph.has_bodies();
  model.feeds = {{{"x", wave_tensor({3, 4})}, {"z", wave_tensor({3, 4}, 1)}},
                 {{"x", wave_tensor({1, 4}, 2)}, {"z", wave_tensor({1, 4}, 3)}}};
  return model;
}

}  // namespace sdx::runtime
