// Functions of float32 over all its range, against double: every 997th number by its bits, and those at the ends.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/cpu.h"
#include "ops/invoke.h"

namespace sdx::ops {
namespace {

struct Function {
  std::string_view op;
  double (*of)(double);
  double units;  // in the last place
};

std::vector<float> arguments() {
  std::vector<float> made = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 997)
    made.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (const float edge :
       {1.0f, 0.5f, 88.0f, 88.7228f, 89.416f, 17.3287f, 1.5707964f, 3.1415927f, 30000.0f, 1e6f, 1e8f})
    for (int i = -2000; i <= 2000; ++i) {
      const auto bits = static_cast<uint32_t>(static_cast<int64_t>(std::bit_cast<uint32_t>(edge)) + i);
      made.push_back(std::bit_cast<float>(bits));
      made.push_back(-made.back());
    }
  return made;
}

double unit_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

class FloatRange : public ::testing::TestWithParam<Function> {};

TEST_P(FloatRange, is_within_its_bound_at_every_level) {
  const Function function = GetParam();
  const OpEntry* entry = find_op("", function.op);
  ASSERT_NE(entry, nullptr);
  ASSERT_NE(entry->cpu_kernels, nullptr);
  std::vector<float> values = arguments();
  std::vector<double> wanted;
  for (const float v : values) wanted.push_back(function.of(static_cast<double>(v)));
  Node node;
  node.op = function.op;
  node.inputs = {0};
  node.outputs = {1};
  const Shape shape{static_cast<int64_t>(values.size())};
  const Value x(Tensor::wrap(DType::f32, shape, values.data(), nullptr, {}));
  const Value* inputs[] = {&x};
  const auto specs = output_specs(*entry->contract, node, inputs);
  ASSERT_TRUE(specs.ok()) << specs.status().message();
  for_each_isa([&](Isa isa) {
    Value y;
    const Implementation kernel{entry->contract, &entry->cpu_kernels->kernels()[0], nullptr};
    ASSERT_TRUE(invoke(kernel, node, inputs, *specs, {&y, 1}, {}).ok());
    const float* found = y.tensor().data<float>();
    double worst = 0;
    float at = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const auto got = static_cast<double>(found[i]), rounded = static_cast<double>(static_cast<float>(wanted[i]));
      if (std::isnan(wanted[i]) || std::isinf(rounded) || std::isnan(got) || std::isinf(got)) {
        const bool near_the_end = std::isinf(rounded) != std::isinf(got) && std::fabs(wanted[i]) > 3.4028e38 &&
                                  std::fabs(got) > 3.4028e38 && std::signbit(got) == std::signbit(wanted[i]);
        ASSERT_TRUE((std::isnan(got) && std::isnan(wanted[i])) || got == rounded || near_the_end)
            << function.op << " of " << values[i] << " at " << name(isa) << ": " << got << ", wanted " << wanted[i];
        continue;
      }
      ASSERT_TRUE(got != 0 || wanted[i] != 0 || std::signbit(got) == std::signbit(wanted[i]))
          << function.op << " of " << values[i] << " at " << name(isa) << ": the sign of zero";
      const double off = std::fabs(got - wanted[i]) / unit_of(rounded);
      if (off > worst) worst = off, at = values[i];
    }
    EXPECT_LE(worst, function.units) << function.op << " of " << at << " at " << name(isa);
    RecordProperty(std::string(function.op) + "_" + std::string(name(isa)), std::to_string(worst));
  });
}

double elu(double x) { return x < 0 ? std::expm1(x) : x; }

constexpr double kUnits = 4;
INSTANTIATE_TEST_SUITE_P(Functions, FloatRange,
                         ::testing::Values(Function{"Acos", std::acos, kUnits}, Function{"Acosh", std::acosh, kUnits},
                                           Function{"Asin", std::asin, kUnits}, Function{"Asinh", std::asinh, kUnits},
                                           Function{"Atan", std::atan, kUnits}, Function{"Atanh", std::atanh, kUnits},
                                           Function{"Cosh", std::cosh, kUnits}, Function{"Sinh", std::sinh, kUnits},
                                           Function{"Tan", std::tan, kUnits}, Function{"Elu", elu, kUnits}),
                         [](const auto& test) { return std::string(test.param.op); });

}  // namespace
}  // namespace sdx::ops
