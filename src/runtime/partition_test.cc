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

Rule rule(Rules rules) { return std::make_shared<RuleProvider>(std::move(rules)); }

const plan::Placement* placed(const Session& session, std::string_view op) {
  static std::vector<std::shared_ptr<const Compiled>> kept;
  kept.push_back(session.compiled());
  for (const plan::Placement& placement : kept.back()->partition().placements)
    if (placement.op == op) return &placement;
  return nullptr;
}

std::vector<std::string> operators_of(const Graph& graph) {
  std::vector<std::string> names;
  const std::vector<NodeId> order = graph.topological_order().value();
  for (const NodeId id : order) names.push_back(graph.node(id).op);
  return names;
}

// y = Tanh(Relu(x w) + x)
ModelBuilder chain() {
  ModelBuilder b(17);
  b.input("x", DType::f32, {"n", "4"});
  b.initializer("w", wave_tensor({4, 4}));
  b.node("MatMul", {"x", "w"}, {"m"}, {}, "product");
  b.node("Relu", {"m"}, {"r"}, {}, "rectify");
  b.node("Add", {"r", "x"}, {"s"}, {}, "sum");
  b.node("Tanh", {"s"}, {"y"}, {}, "squash");
  b.output("y", DType::f32, {"n", "4"});
  return b;
}

TEST(partition, what_one_refuses_goes_to_the_next_and_the_reasons_stay) {
  const auto first = rule({.name = "First", .operators = {"Relu", "Add"}});
  const auto second = rule({.name = "Second", .style = Rules::Style::compiles, .operators = {"Add", "Tanh"}});
  const auto session = make_session(chain(), with(exact_options(), {first, second}));
  ASSERT_TRUE(session.ok()) << session.status().message();
  EXPECT_EQ(placed(**session, "Relu")->provider, "First");
  EXPECT_EQ(placed(**session, "Add")->provider, "First");
  EXPECT_EQ(placed(**session, "Tanh")->provider, "Second");
  const plan::Placement& rest = *placed(**session, "MatMul");
  EXPECT_EQ(rest.provider, "CPUExecutionProvider");
  ASSERT_EQ(rest.refusals.size(), 2u + 1u);  // the second one was asked for a kernel, too
  EXPECT_EQ(rest.refusals[0].provider, "First");
  EXPECT_EQ(rest.refusals[0].reason, "it does not run MatMul");
  EXPECT_EQ(rest.refusals[1].provider, "Second");
  EXPECT_EQ(rest.origins, std::vector<std::string>{"product"});
}

TEST(partition, copies_are_made_where_memories_differ_and_weights_move_once) {
  const auto device = rule({.name = "Device", .memory = Rules::Memory::own, .operators = {"MatMul", "Add"}});
  const auto session = make_session(chain(), with(exact_options(), {device}));
  ASSERT_TRUE(session.ok()) << session.status().message();
  // x there (once for both), m back, r there, s back.
  EXPECT_EQ((*session)->compiled()->copies(), 4u);
  const NamedTensors feed = {{"x", wave_tensor({2, 4})}};
  size_t before = device->locked()->copies();
  ASSERT_TRUE(run(**session, feed).ok());
  EXPECT_EQ(device->locked()->copies() - before, 5u);  // and the weight
  before = device->locked()->copies();
  ASSERT_TRUE(run(**session, feed).ok());
  EXPECT_EQ(device->locked()->copies() - before, 4u);
  EXPECT_EQ(device->locked()->blocks(), 1u);  // the weight
}

TEST(partition, memory_of_devices_goes_back_with_the_session) {
  const auto device = rule({.name = "Device", .style = Rules::Style::compiles, .memory = Rules::Memory::own});
  {
    const auto session = make_session(chain(), with(exact_options(), {device}));
    ASSERT_TRUE(session.ok());
    ASSERT_TRUE(run(**session, {{"x", wave_tensor({2, 4})}}).ok());
    EXPECT_EQ(device->locked()->blocks(), 1u);
  }
  EXPECT_EQ(device->locked()->blocks(), 0u);
}

TEST(partition, later_passes_leave_alone_what_others_own) {
  ModelBuilder b(17);
  b.input("x", DType::f32, {"1", "4", "5", "5"});
  b.initializer("w", wave_tensor({4, 4, 3, 3}));
  for (const std::string n : {"1", "2"}) {
    b.node("Conv", {n == "1" ? "x" : "r1", "w"}, {"c" + n}, {attr("pads", std::vector<int64_t>{1, 1, 1, 1})},
           "conv" + n);
    b.node("Relu", {"c" + n}, {"r" + n}, {}, "relu" + n);
  }
  b.output("r2", DType::f32, {"1", "4", "5", "5"});
  SessionOptions options = exact_options();
  options.passes.to = passes::Level::extended;
  const auto whole = make_session(b, options);
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(operators_of((*whole)->compiled()->graph()), (std::vector<std::string>{"FusedConv", "FusedConv"}));
  const auto owner = rule({.name = "Owner", .in_name = "relu1"});
  const auto split = make_session(b, with(options, {owner}));
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(operators_of((*split)->compiled()->graph()), (std::vector<std::string>{"Conv", "Relu", "FusedConv"}));
  const NamedTensors feed = {{"x", wave_tensor({1, 4, 5, 5})}};
  expect_same(run(**split, feed).value(), run(**whole, feed).value(), Match::about);
}

TEST(partition, claims_are_asked_on_the_graph_as_it_would_be_saved) {
  const auto compiler = rule({.name = "Compiler", .style = Rules::Style::compiles});
  for (const SplitModel& model : handmade_models()) {
    if (model.name != "old_forms") continue;
    SessionOptions options = exact_options();
    options.passes.to = passes::Level::none;
    const auto session = make_session(model.builder, with(options, {compiler}));
    ASSERT_TRUE(session.ok()) << session.status().message();
  }
  EXPECT_EQ(compiler->seen, (std::vector<std::string>{"Clip 9", "Unsqueeze 9", "Softmax 9", "Squeeze 9", "Split 9",
                                                      "ReduceSum 9", "Slice 9", "Add 9"}));
}

TEST(partition, a_node_with_subgraphs_is_compiled_whole_or_its_subgraphs_are_asked_for) {
  for (const SplitModel& model : handmade_models()) {
    if (!model.has_bodies) continue;
    const std::string op = model.name == "loops" ? "Loop" : "If";
    const auto whole = rule({.name = "Whole", .style = Rules::Style::compiles, .operators = {op}});
    const auto inside = rule({.name = "Inside", .memory = Rules::Memory::own, .operators = {"Exp", "Mul", "Tanh"}});
    const auto session = make_session(model.builder, with(exact_options(), {whole}));
    ASSERT_TRUE(session.ok());
    EXPECT_EQ(placed(**session, op)->provider, "Whole");
    const auto other = make_session(model.builder, with(exact_options(), {inside, whole}));
    ASSERT_TRUE(other.ok());
    const plan::Placement& kept = *placed(**other, op);
    EXPECT_EQ(kept.provider, "CPUExecutionProvider");
    EXPECT_EQ(kept.refusals[0].reason, "a node with subgraphs runs on the CPU, or compiled");
    EXPECT_EQ(kept.refusals[1].reason, "nodes of its subgraphs are taken");
    EXPECT_EQ(placed(**other, "Mul")->provider, "Inside");
    EXPECT_NE(placed(**other, "Mul")->graph, "");
    for (const NamedTensors& feed : model.feeds)
      expect_same(run(**other, feed).value(), run(**session, feed).value(), Match::bits);
  }
}

TEST(partition, an_operator_without_a_contract_runs_where_a_provider_compiles_it) {
  ModelBuilder b(17);
  b.import_opset("test", 1);
  b.input("x", DType::f32, {"n", "4"});
  b.node("Relu", {"x"}, {"a"});
  b.node("Twice", {"a"}, {"t"}, {}, "double", "test");
  b.node("Neg", {"t"}, {"y"});
  b.output("y", DType::f32, {"n", "4"});
  const auto alone = make_session(b, exact_options());
  EXPECT_EQ(alone.ok(), false);
  EXPECT_NE(alone.status().message().find("no provider takes these nodes: double (test.Twice)"), std::string::npos)
      << alone.status().message();
  const auto kernels = rule({.name = "Kernels"});
  EXPECT_FALSE(make_session(b, with(exact_options(), {kernels})).ok());
  const auto compiler = rule({.name = "Compiler", .style = Rules::Style::compiles, .operators = {"Twice"}});
  const auto session = make_session(b, with(exact_options(), {compiler}));
  ASSERT_TRUE(session.ok()) << session.status().message();
  const auto outputs = run(**session, {{"x", wave_tensor({3, 4})}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ((*outputs)[0].tensor().data<float>()[i], -2 * std::max(0.0f, wave_tensor({3, 4}).data<float>()[i]));
}

TEST(partition, by_cost_gives_back_what_costs_more_to_copy_than_it_saves) {
  const auto run_on = [](providers::Speed speed, Rules::Style style) {
    const auto device =
        rule({.name = "Device", .style = style, .memory = Rules::Memory::own, .operators = {"MatMul"}, .speed = speed});
    SessionOptions options = with(exact_options(), {device});
    options.partitions_by_cost = true;
    const auto session = make_session(chain(), options);
    EXPECT_TRUE(session.ok());
    return *placed(**session, "MatMul");
  };
  for (const auto style : {Rules::Style::kernels, Rules::Style::compiles}) {
    const plan::Placement back = run_on({.operations_per_ns = 1e6, .bytes_per_ns = 1e6}, style);
    EXPECT_EQ(back.provider, "CPUExecutionProvider");
    EXPECT_EQ(back.refusals[0].reason.substr(0, 36), "copies to and from it cost about 20.");
    const plan::Placement kept = run_on(
        {.operations_per_ns = 1e6, .bytes_per_ns = 1e6, .step_ns = 0, .copied_bytes_per_ns = 1e6, .copy_ns = 1}, style);
    EXPECT_EQ(kept.provider, "Device");
  }
}

TEST(partition, a_split_session_saves_what_any_engine_runs) {
  const std::string path = testing::TempDir() + "sdx_split.onnx";
  for (const auto style : {Rules::Style::kernels, Rules::Style::compiles}) {
    const auto device = rule({.name = "Device", .style = style, .memory = Rules::Memory::own, .operators = {"Relu"}});
    SessionOptions options = with(exact_options(), {device});
    options.passes.to = passes::Level::layout;
    const auto session = make_session(chain(), options);
    ASSERT_TRUE(session.ok());
    const auto imported = (*session)->exported();
    ASSERT_TRUE(imported.ok()) << imported.status().message();
    EXPECT_EQ(operators_of(imported->graph), (std::vector<std::string>{"MatMul", "Relu", "Add", "Tanh"}));
    const auto saved = onnx::export_model((*session)->model(), *imported);
    ASSERT_TRUE(saved.ok()) << saved.status().message();
  }
}

TEST(partition, new_weights_reach_every_provider) {
  for (const auto style : {Rules::Style::kernels, Rules::Style::compiles}) {
    const auto device = rule({.name = "Device", .style = style, .memory = Rules::Memory::own, .operators = {"MatMul"}});
    const auto session = make_session(chain(), with(exact_options(), {device}));
    const auto whole = make_session(chain(), exact_options());
    const std::map<std::string, Tensor> weights = {{"w", wave_tensor({4, 4}, 9)}};
    ASSERT_TRUE((*session)->replace_weights(weights).ok());
    ASSERT_TRUE((*whole)->replace_weights(weights).ok());
    const NamedTensors feed = {{"x", wave_tensor({2, 4})}};
    expect_same(run(**session, feed).value(), run(**whole, feed).value(), Match::bits);
  }
}

TEST(partition, a_shape_that_does_not_fit_names_the_node) {
  ModelBuilder b(17);
  b.input("x", DType::f32, {"n"});
  b.input("z", DType::f32, {"m"});
  b.node("Neg", {"x"}, {"a"});
  b.node("Add", {"a", "z"}, {"y"}, {}, "sum");
  b.output("y", DType::f32, {"k"});
  for (const auto style : {Rules::Style::kernels, Rules::Style::compiles}) {
    const auto device = rule({.name = "Device", .style = style, .memory = Rules::Memory::own, .operators = {"Add"}});
    const auto session = make_session(b, with(exact_options(), {device}));
    ASSERT_TRUE(session.ok());
    const auto failed = run(**session, {{"x", wave_tensor({3})}, {"z", wave_tensor({4})}});
    ASSERT_FALSE(failed.ok());
    EXPECT_NE(failed.status().message().find("sum (Add)"), std::string::npos) << failed.status().message();
    EXPECT_TRUE(run(**session, {{"x", wave_tensor({3})}, {"z", wave_tensor({1})}}).ok());
  }
}

}  // namespace
}  // namespace sdx::runtime
