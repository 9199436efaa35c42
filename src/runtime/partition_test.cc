#include "plan/partition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "onnx/exporter.h"
#include "onnx/writer.h"
#include "plan/insert_copies.h"
#include "providers/testing/rule_provider.h"
#include "runtime/session.h"
#include "runtime/testing/split_models.h"

namespace sdx::runtime {
namespace {

using onnx::attr;
using onnx::ModelBuilder;
using providers::RuleProvider;
using providers::Rules;
using Rule = std::shared_ptr<const RuleProvider>;

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

enum class Match : uint8_t { bits, about };

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

// Counts anew, from the nodes alone, what must be copied: each value into each memory where somebody reads it.
class Counting {
 public:
  Counting(const Graph& graph, const std::vector<Rule>& rules, const plan::Partition& partition)
      : graph_(graph), rules_(rules), partition_(partition) {}

  size_t count() {
    std::set<std::pair<ValueId, const void*>> wanted;
    size_t inside = 0;
    for (const ValueId output : graph_.outputs()) wanted.emplace(origin(output), nullptr);
    for (NodeId id = 0; id < graph_.node_slots(); ++id) {
      const Node& node = graph_.node(id);
      if (!node.alive || plan::is_copy(node)) continue;
      for (const ValueId capture : node.captures) wanted.emplace(origin(capture), nullptr);
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId input = node.inputs[i];
        if (input == kNoValue || is_weight(origin(input))) continue;
        wanted.emplace(origin(input), is_on_host(node, i) ? nullptr : memory_of(node));
      }
      for_each_subgraph(
          node, [&](const Graph& inner, const std::string&) { inside += Counting(inner, rules_, partition_).count(); });
    }
    std::set<ValueId> on_host;
    for (const auto& [value, memory] : wanted)
      if (memory == nullptr) on_host.insert(value);
    size_t copies = inside;
    std::set<ValueId> brought;
    for (const auto& [value, memory] : wanted) {
      const void* home = home_of(value);
      if (memory == home) continue;
      ++copies;
      // From one device to another the way leads through the CPU's memory.
      if (memory != nullptr && home != nullptr && !on_host.contains(value) && brought.insert(value).second) ++copies;
    }
    return copies;
  }

 private:
  bool is_weight(ValueId value) const { return graph_.fact(value).is_constant() && !graph_.value(value).is_input; }
  ValueId origin(ValueId value) const {
    while (true) {
      const NodeId producer = graph_.value(value).producer;
      if (producer == kNoNode || !plan::is_copy(graph_.node(producer))) return value;
      value = graph_.node(producer).inputs[0];
    }
  }
  const void* memory_of(const Node& node) const {
    for (const Rule& rule : rules_)
      if (rule->name() == node.provider) return rule->locked();
    return nullptr;
  }
  bool is_on_host(const Node& node, size_t input) const {
    if (plan::is_compiled_group(node)) return false;
    const ops::OpEntry* op = ops::find_op(node.domain, node.op);
    return input < 32 && (op->contract->needs_values >> input & 1) != 0;
  }
  const void* home_of(ValueId value) const {
    const NodeId producer = graph_.value(value).producer;
    if (producer == kNoNode) return nullptr;
    const Node& node = graph_.node(producer);
    return node.op == "Shape" || node.op == "Size" ? nullptr : memory_of(node);
  }

  const Graph& graph_;
  const std::vector<Rule>& rules_;
  const plan::Partition& partition_;
};

size_t device_copies(const std::vector<Rule>& rules) {
  size_t copies = 0;
  for (const Rule& rule : rules) copies += rule->locked() != nullptr ? rule->locked()->copies() : 0;
  return copies;
}

// Whoever is before the owner said no, in the order of priority; whoever is behind was not asked.
void expect_priority(const Compiled& compiled) {
  const std::vector<std::string> names = compiled.provider_names();
  ASSERT_FALSE(compiled.partition().placements.empty());
  for (const plan::Placement& placement : compiled.partition().placements) {
    size_t asked = 0;
    for (const plan::Refusal& refusal : placement.refusals) {
      ASSERT_FALSE(refusal.reason.empty());
      if (refusal.provider == names[asked]) continue;
      ++asked;
      ASSERT_EQ(refusal.provider, names[asked]) << placement.node;
    }
    const bool refused = !placement.refusals.empty();
    const size_t owner = static_cast<size_t>(std::ranges::find(names, placement.provider) - names.begin());
    ASSERT_LT(owner, names.size());
    // A compiler's own groups may come first and its kernels later, so a no of the owner may be among them.
    ASSERT_TRUE(owner == asked + (refused ? 1 : 0) || (refused && owner == asked)) << placement.node;
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

std::string text_of(const std::vector<Rule>& rules) {
  return join(rules, "; ", [](const Rule& rule) {
    const Rules& r = rule->rules();
    return formatted("{} {} {} share {} compiled {}", r.name, r.style == Rules::Style::kernels ? "kernels" : "compiles",
                     r.memory == Rules::Memory::own ? "own memory" : "shared", r.share, r.compiled_share);
  });
}

struct Seen {
  size_t groups = 0, copies = 0, splits_by_three = 0;
};

void check_split(const SplitModel& model, uint64_t seed, Seen& seen) {
  const std::vector<Rule> rules = random_rules(seed);
  SCOPED_TRACE(formatted("{}, split {}: {}", model.name, seed, text_of(rules)));
  auto whole = make_session(model.builder, exact_options());
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  const bool exact = seed % 4 != 3;
  SessionOptions options = exact_options();
  if (!exact) {
    options.passes.to = passes::Level::layout;
    options.references_only = false;
  }
  auto split = make_session(model.builder, with(options, rules));
  ASSERT_TRUE(split.ok()) << split.status().message();
  const auto compiled = (*split)->compiled();
  expect_priority(*compiled);
  std::set<std::string> owners;
  for (const plan::Placement& placement : compiled->partition().placements) owners.insert(placement.provider);
  seen.groups += compiled->partition().groups.size();
  seen.copies += compiled->copies();
  seen.splits_by_three += owners.size() >= 3 ? 1 : 0;
  EXPECT_EQ(compiled->copies(), Counting(compiled->graph(), rules, compiled->partition()).count());
  for (const NamedTensors& feed : model.feeds) {
    const auto wanted = run(**whole, feed);
    ASSERT_TRUE(wanted.ok()) << wanted.status().message();
    for (int again = 0; again < 2; ++again) {
      const size_t before = device_copies(rules);
      const auto found = run(**split, feed);
      ASSERT_TRUE(found.ok()) << found.status().message();
      expect_same(*found, *wanted, exact ? Match::bits : Match::about);
      if (again == 1 && !model.has_bodies) {
        EXPECT_EQ(device_copies(rules) - before, compiled->copies());
      }
    }
  }
}

size_t split_count() {
  const char* text = std::getenv("SARDONYX_SPLITS");
  return text != nullptr ? static_cast<size_t>(std::atoi(text)) : 500;
}

TEST(partition, gives_the_values_of_the_whole_model_however_it_is_split) {
  const std::vector<SplitModel> handmade = handmade_models();
  Seen seen;
  for (uint64_t seed = 0; seed < split_count() && !HasFatalFailure(); ++seed) {
    if (seed % 2 == 0) check_split(handmade[seed / 2 % handmade.size()], seed, seen);
    if (seed % 2 == 1) check_split(random_model(seed), seed, seen);
  }
  EXPECT_GT(seen.splits_by_three, split_count() / 2);
  EXPECT_GT(seen.groups, split_count());
  EXPECT_GT(seen.copies, 2 * split_count());
}

}  // namespace
}  // namespace sdx::runtime
