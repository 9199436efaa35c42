// Models split between providers in random ways: SARDONYX_SPLITS says how many.
#include <gtest/gtest.h>

#include <set>

#include "plan/insert_copies.h"
#include "runtime/testing/split_session.h"

namespace sdx::runtime {
namespace {

using providers::Rules;

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
