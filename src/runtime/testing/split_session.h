// What tests of split sessions share: sessions of models with providers by rules, runs, comparison.
#pragma once

#include "providers/testing/rule_provider.h"
#include "runtime/session.h"
#include "runtime/testing/split_models.h"

namespace sdx::runtime {

using Rule = std::shared_ptr<const providers::RuleProvider>;

Result<std::unique_ptr<Session>> make_session(const onnx::ModelBuilder& builder, SessionOptions options);
// References alone, and what keeps their bits; verified, with reasons.
SessionOptions exact_options();
SessionOptions with(SessionOptions options, const std::vector<Rule>& rules);
Result<std::vector<Value>> run(Session& session, const NamedTensors& inputs);

enum class Match : uint8_t { bits, about };
void expect_same(const std::vector<Value>& found, const std::vector<Value>& wanted, Match match);

// Three providers of any kind.
std::vector<Rule> random_rules(uint64_t seed);

}  // namespace sdx::runtime
