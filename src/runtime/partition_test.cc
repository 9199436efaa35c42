#include "plan/partition.h"

#include <gtest/gtest.h>

#include <thread>

#include "onnx/exporter.h"
#include "runtime/testing/split_session.h"

namespace sdx::runtime {
namespace {

using onnx::attr;
using onnx::ModelBuilder;
using providers::RuleProvider;
using providers::Rules;

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

TEST(partition, many_threads_run_a_split_session_at_once) {
  for (uint64_t seed : {3, 4, 8, 9}) {
    const SplitModel model = handmade_models()[2];
    const auto split = make_session(model.builder, with(exact_options(), random_rules(seed)));
    const auto whole = make_session(model.builder, exact_options());
    ASSERT_TRUE(split.ok() && whole.ok());
    std::vector<std::thread> threads;
    for (size_t thread = 0; thread < 4; ++thread)
      threads.emplace_back([&, thread] {
        const NamedTensors& feed = model.feeds[thread % model.feeds.size()];
        for (int i = 0; i < 5; ++i) expect_same(run(**split, feed).value(), run(**whole, feed).value(), Match::bits);
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(partition, a_device_writes_into_the_memory_that_the_caller_gives) {
  for (const auto style : {Rules::Style::kernels, Rules::Style::compiles}) {
    const auto device = rule({.name = "Device", .style = style, .memory = Rules::Memory::own, .operators = {"Tanh"}});
    const auto session = make_session(chain(), with(exact_options(), {device}));
    const auto whole = make_session(chain(), exact_options());
    const Tensor x = wave_tensor({2, 4}), y = wave_tensor({2, 4}, 7);
    const Feed feeds[] = {{"x", x}};
    const Value given[] = {y};
    const auto outputs = (*session)->run(feeds, {}, given);
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ((*outputs)[0].tensor().raw(), y.raw());
    expect_same(*outputs, run(**whole, {{"x", x}}).value(), Match::bits);
  }
}

}  // namespace
}  // namespace sdx::runtime
