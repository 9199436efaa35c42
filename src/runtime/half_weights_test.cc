// What is folded into float16 weights, in a model from memory and in one from a file.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/element.h"
#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"
#include "runtime/session.h"

namespace sdx::runtime {
namespace {

using onnx::ModelBuilder;

std::shared_ptr<onnx::Model> from_bytes(const ModelBuilder& builder) {
  const std::string bytes = onnx::write_model_to_string(builder.model()).value();
  return onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy).value();
}

Tensor halves(std::vector<int64_t> shape, const std::function<double(int64_t)>& at) {
  Tensor tensor = Tensor::allocate(DType::f16, shape).value();
  for (int64_t i = 0; i < tensor.count(); ++i) store_double(tensor, i, at(i));
  return tensor;
}

// Scaled, the largest would be no float16 any more.
TEST(half_weights, what_is_folded_into_half_weights_is_not_rounded_in_between) {
  constexpr int64_t kOutputs = 300, kInputs = 128, kPixels = 16;
  const auto swing = [](double by) { return [by](int64_t i) { return by * std::sin(static_cast<double>(i) * 0.7); }; };
  const auto factor = [](int64_t i) { return 40 + 0.01 * static_cast<double>(i); };
  const Tensor w = halves({kOutputs, kInputs, 1, 1}, swing(2000)), x = halves({1, kInputs, 4, 4}, swing(0.005));
  const Tensor scale = halves({kOutputs}, factor), shift = halves({kOutputs}, swing(1)),
               mean = halves({kOutputs}, swing(2)), variance = halves({kOutputs}, [](int64_t) { return 1.0; });
  ModelBuilder model(17);
  model.input("x", DType::f16, {"1", "128", "4", "4"});
  model.initializer("w", w);
  model.initializer("scale", scale);
  model.initializer("shift", shift);
  model.initializer("mean", mean);
  model.initializer("variance", variance);
  model.node("Conv", {"x", "w"}, {"a"});
  model.node("BatchNormalization", {"a", "scale", "shift", "mean", "variance"}, {"y"});
  model.output("y", DType::f16, {"1", "300", "4", "4"});
  const Feed feeds[] = {{"x", x}};
  const auto in_memory = Session::create(from_bytes(model), {}).value()->run(feeds, {}).value();
  const std::string path = testing::TempDir() + "halves.onnx";
  std::ofstream(path, std::ios::binary) << *onnx::write_model_to_string(model.model());
  const auto from_file = Session::create(onnx::open_model(path).value(), {}).value()->run(feeds, {}).value();
  std::filesystem::remove(path);
  for (int64_t m = 0; m < kOutputs; ++m) {
    for (int64_t p = 0; p < kPixels; ++p) {
      double sum = 0;
      for (int64_t c = 0; c < kInputs; ++c) sum += load_double(w, m * kInputs + c) * load_double(x, c * kPixels + p);
      const double deviation = std::sqrt(load_double(variance, m) + 1e-5f);
      const double wanted = (sum - load_double(mean, m)) / deviation * load_double(scale, m) + load_double(shift, m);
      const double found = load_double(in_memory[0].tensor(), m * kPixels + p);
      EXPECT_NEAR(found, wanted, 0.1 + std::abs(wanted) / 1024) << m;
      EXPECT_EQ(load_double(from_file[0].tensor(), m * kPixels + p), found);
    }
  }
}

TEST(half_weights, of_blocked_convolutions_are_scaled_behind_their_sums) {
  constexpr int64_t kInputs = 64, kOutputs = 300, kPixels = 400;
  ModelBuilder model(17);
  const auto swing = [](double by) { return [by](int64_t i) { return by * std::sin(static_cast<double>(i) * 0.7); }; };
  const Tensor w = halves({kOutputs, kInputs, 1, 1}, swing(2000));
  const Tensor scale = halves({kOutputs}, [](int64_t i) { return 40 + 0.01 * static_cast<double>(i); });
  const Tensor mean = halves({kOutputs}, swing(20000)), x = halves({1, 3, 20, 20}, [](int64_t) { return 0.125; });
  model.input("x", DType::f16, {"1", "3", "20", "20"});
  model.initializer("u", halves({kInputs, 3, 1, 1}, [](int64_t) { return 1.0 / 64; }));
  model.initializer("w", w);
  model.initializer("scale", scale);
  model.initializer("shift", halves({kOutputs}, swing(1)));
  model.initializer("mean", mean);
  model.initializer("variance", halves({kOutputs}, [](int64_t) { return 4.0; }));
  model.initializer("v", halves({16, kOutputs, 1, 1}, [](int64_t) { return 1.0 / 4096; }));
  model.node("Conv", {"x", "u"}, {"a"});
  model.node("Conv", {"a", "w"}, {"b"});
  model.node("BatchNormalization", {"b", "scale", "shift", "mean", "variance"}, {"c"});
  model.node("Relu", {"c"}, {"d"});
  model.node("Conv", {"d", "v"}, {"y"});
  model.output("y", DType::f16, {"1", "16", "20", "20"});
  double wanted = 0;
  for (int64_t m = 0; m < kOutputs; ++m) {
    double sum = 0;
    for (int64_t c = 0; c < kInputs; ++c) sum += load_double(w, m * kInputs + c) * 0.375 / 64;
    const double by = load_double(scale, m) / std::sqrt(4 + 1e-5);
    const double shift = load_double(halves({1}, [&](int64_t) { return swing(1)(m); }), 0);
    wanted += std::fmax(0, (sum - load_double(mean, m)) * by + shift) / 4096;
  }
  const Feed feeds[] = {{"x", x}};
  const auto in_memory = Session::create(from_bytes(model), {}).value()->run(feeds, {}).value();
  const std::string path = testing::TempDir() + "blocked_halves.onnx";
  std::ofstream(path, std::ios::binary) << *onnx::write_model_to_string(model.model());
  const auto from_file = Session::create(onnx::open_model(path).value(), {}).value()->run(feeds, {}).value();
  std::filesystem::remove(path);
  for (int64_t i = 0; i < 16 * kPixels; ++i) {
    const double found = load_double(in_memory[0].tensor(), i);
    EXPECT_NEAR(found, wanted, wanted / 1024) << i;
    EXPECT_EQ(load_double(from_file[0].tensor(), i), found);
  }
}

}  // namespace
}  // namespace sdx::runtime
