#include "runtime/testing/split_session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "onnx/writer.h"

namespace sdx::runtime {

using onnx::ModelBuilder;
using providers::RuleProvider;
using providers::Rules;

Result<std::unique_ptr<Session>> make_session(const ModelBuilder& builder, SessionOptions options) {
  static Logger silent("", Severity::fatal);
  options.logger = &silent;
  SDX_ASSIGN(const std::string bytes, onnx::write_model_to_string(builder.model()));
  SDX_ASSIGN(auto model, onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy));
  return Session::create(std::move(model), options);
}

// References alone, and what keeps their bits.
SessionOptions exact_options() {
  SessionOptions options;
  options.threads = 1;
  options.references_only = true;
  options.passes.to = passes::Level::basic;
  options.passes.keeps_declines = true;
  options.passes.verifies = true;
  return options;
}

SessionOptions with(SessionOptions options, const std::vector<Rule>& rules) {
  options.providers.assign(rules.begin(), rules.end());
  return options;
}

Result<std::vector<Value>> run(Session& session, const NamedTensors& inputs) {
  std::vector<Feed> feeds;
  for (const auto& [name, tensor] : inputs) feeds.push_back({name, tensor});
  return session.run(feeds, {});
}

void expect_same(const std::vector<Value>& found, const std::vector<Value>& wanted, Match match) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const Tensor &a = found[i].tensor(), &b = wanted[i].tensor();
    ASSERT_EQ(a.dtype(), b.dtype());
    ASSERT_EQ(a.shape(), b.shape()) << "output " << i;
    if (a.byte_size() == 0) continue;
    if (match == Match::bits || a.dtype() != DType::f32) {
      ASSERT_EQ(std::memcmp(a.raw(), b.raw(), a.byte_size()), 0) << "output " << i;
      continue;
    }
    for (int64_t at = 0; at < a.count(); ++at) {
      const float x = a.data<float>()[at], y = b.data<float>()[at];
      if (x == y || (std::isnan(x) && std::isnan(y))) continue;
      ASSERT_NEAR(x, y, 1e-4 * (1 + std::abs(y))) << i;
    }
  }
}

std::vector<Rule> random_rules(uint64_t seed) {
  std::vector<Rule> rules;
  uint64_t state = seed * 7919 + 17;
  const auto dice = [&](uint64_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % n;
  };
  for (int i = 0; i < 3; ++i) {
    Rules made;
    made.name = formatted("Provider{}", i + 1);
    made.style = dice(2) == 0 ? Rules::Style::kernels : Rules::Style::compiles;
    made.memory = dice(3) == 0 ? Rules::Memory::shared : Rules::Memory::own;
    made.share = 0.2 + 0.1 * static_cast<double>(dice(8));
    made.compiled_share = dice(3) == 0 ? 0.5 : 1;
    made.seed = seed * 3 + static_cast<uint64_t>(i);
    made.proposes_groups = dice(3) == 0;
    if (dice(4) == 0) made.operators = {"Add", "Mul", "MatMul", "Relu", "Conv", "If", "Shape", "Reshape", "Transpose"};
    rules.push_back(std::make_shared<RuleProvider>(made));
  }
  return rules;
}

}  // namespace sdx::runtime
