#include "runtime/profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"
#include "plan/memory.h"
#include "providers/testing/rule_provider.h"
#include "runtime/run_trace.h"
#include "runtime/session.h"

namespace sdx::runtime {
namespace {

using onnx::attr;
using onnx::ModelBuilder;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class profiler : public testing::Test {
 protected:
  profiler() : folder_(fs::temp_directory_path() / formatted("sdx_profiler_{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~profiler() override { fs::remove_all(folder_); }

  std::unique_ptr<Session> session_of(const ModelBuilder& builder, size_t max_events = Profiler::kMaxEvents,
                                      ProviderOwners providers = {}) {
    SessionOptions options;
    options.providers = std::move(providers);
    options.passes.to = passes::Level::extended;  // a step for each node of the models below
    options.logger = &logger_;
    options.profiler = std::make_shared<Profiler>((folder_ / "p").string(), logger_, max_events);
    auto bytes = onnx::write_model_to_string(builder.model());
    auto model = onnx::model_from_bytes(std::as_bytes(std::span(*bytes)), onnx::Ownership::copy);
    auto session = Session::create(std::move(model).value(), options);
    EXPECT_TRUE(session.ok()) << session.status().message();
    return session.ok() ? std::move(session).value() : nullptr;
  }
  static Json read(const std::string& path) { return Json::parse(std::ifstream(path)); }
  static Json end(Session& session) {
    auto file = session.profiler()->end();
    EXPECT_TRUE(file.ok()) << file.status().message();
    return file.ok() ? read(*file) : Json::array();
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    return files;
  }

  fs::path folder_;
  std::vector<std::string> warnings_;
  Logger logger_{"", Severity::warning,
                 [](void* param, Severity, const char*, const char*, const char*, const char* message) {
                   static_cast<std::vector<std::string>*>(param)->push_back(message);
                 },
                 &warnings_};
};

Tensor floats(std::vector<int64_t> shape, float value = 1) {
  Tensor tensor = Tensor::allocate(DType::f32, shape).value();
  std::fill_n(tensor.data<float>(), tensor.count(), value);
  return tensor;
}

Status run(Session& session, const std::vector<Feed>& feeds, const RunOptions& options = {}) {
  return session.run(feeds, {}, {}, options).status();
}

std::vector<std::string> names(const Json& events) {
  std::vector<std::string> names;
  for (const Json& event : events)
    if (event["ph"] == "X") names.push_back(event["name"]);
  return names;
}

// The nodes' events, those of a name only where one is given.
std::vector<Json> nodes(const Json& events, std::string_view name = "") {
  std::vector<Json> found;
  for (const Json& event : events)
    if (event["cat"] == "Node" && (name.empty() || event["name"] == std::string(name) + "_kernel_time"))
      found.push_back(event["args"]);
  return found;
}

ModelBuilder exp_model(std::string_view node_name = "grow") {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n", "3"});
  model.initializer("w", floats({3, 2}));
  model.node("Exp", {"x"}, {"e"}, {}, node_name);
  model.node("MatMul", {"e", "w"}, {"m"}, {}, "product");
  model.node("Relu", {"m"}, {"y"}, {}, "clip");
  model.output("y", DType::f32, {"n", "2"});
  return model;
}

TEST_F(profiler, names_the_provider_of_each_step_and_the_copies) {
  for (const auto style : {providers::Rules::Style::kernels, providers::Rules::Style::compiles}) {
    const ProviderOwners device = {std::make_shared<providers::RuleProvider>(providers::Rules{
        .name = "Device", .style = style, .memory = providers::Rules::Memory::own, .operators = {"MatMul"}})};
    const auto session = session_of(exp_model(), Profiler::kMaxEvents, device);
    ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
    std::vector<std::string> steps;
    for (const Json& node : nodes(end(*session)))
      steps.push_back(node["op_name"].get<std::string>() + " " + node["provider"].get<std::string>());
    const std::string product = style == providers::Rules::Style::kernels ? "MatMul Device" : "CompiledGroup Device";
    EXPECT_THAT(steps, ElementsAre("Exp CPUExecutionProvider", "MemcpyFromHost Device", product, "MemcpyToHost Device",
                                   "Relu CPUExecutionProvider"));
  }
}

TEST_F(profiler, names_the_file_after_prefix_and_time) {
  Profiler one((folder_ / "p").string(), logger_), other((folder_ / "p").string(), logger_);
  const auto first = one.end(), second = other.end();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(*first, *second);
  const std::regex wanted(R"(p_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_\d{3}\.json)");
  for (const auto& file : {*first, *second}) EXPECT_TRUE(std::regex_match(fs::path(file).filename().string(), wanted));
  EXPECT_EQ(read(*first), Json::array());
}

TEST_F(profiler, says_of_each_step_what_ran_on_what) {
  const auto session = session_of(exp_model());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  const Json events = end(*session);
  EXPECT_THAT(names(events), ElementsAre("session_initialization", "grow_kernel_time", "product_kernel_time",
                                         "clip_kernel_time", "SequentialExecutor::Execute", "model_run"));
  const Json product = nodes(events, "product").at(0);
  EXPECT_EQ(product["op_name"], "MatMul");
  EXPECT_EQ(product["provider"], "CPUExecutionProvider");
  EXPECT_EQ(product["input_type_shape"], Json::parse(R"([{"float": [4, 3]}, {"float": [3, 2]}])"));
  EXPECT_EQ(product["output_type_shape"], Json::parse(R"([{"float": [4, 2]}])"));
  EXPECT_EQ(product["activation_size"], "48");
  EXPECT_EQ(product["parameter_size"], "24");
  EXPECT_EQ(product["output_size"], "32");
  EXPECT_EQ(product["operations"], "48");  // 2 * 4 * 2 * 3
  EXPECT_EQ(product["origins"], Json::parse(R"(["product"])"));
  EXPECT_EQ(events[0]["pid"], getpid());
}

TEST_F(profiler, events_lie_inside_what_contains_them) {
  const auto session = session_of(exp_model());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  int64_t run_start = 0, previous_end = 0;
  for (const Json& event : end(*session)) {
    if (event["ph"] != "X") continue;
    const int64_t start = event["ts"], finish = start + event["dur"].get<int64_t>();
    EXPECT_LE(start, finish);
    if (event["cat"] == "Node") {
      EXPECT_GE(start, previous_end);
    }
    if (event["name"] == "model_run") {
      EXPECT_GE(start, run_start);
      EXPECT_GE(finish, previous_end);
      run_start = finish;
    }
    previous_end = finish;
  }
}

TEST_F(profiler, shows_the_shapes_of_each_run) {
  const auto session = session_of(exp_model());
  for (const int64_t n : {4, 7, 4, 0}) ASSERT_TRUE(run(*session, {{"x", floats({n, 3})}}).ok());
  std::vector<int64_t> rows;
  for (const Json& node : nodes(end(*session), "clip")) rows.push_back(node["output_type_shape"][0]["float"][0]);
  EXPECT_THAT(rows, ElementsAre(4, 7, 4, 0));
}

// A size that a step finds out: what is planned behind it has another shape in the same binding.
TEST_F(profiler, shows_shapes_that_only_a_run_finds_out) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"6"});
  model.node("NonZero", {"x"}, {"places"}, {}, "find");
  model.node("Cast", {"places"}, {"c"}, {attr("to", 1)}, "convert");
  model.node("Exp", {"c"}, {"y"}, {}, "grow");
  model.output("y", DType::f32, {"1", "k"});
  const auto session = session_of(model);
  Tensor some = floats({6}, 0);
  some.data<float>()[2] = 1;
  for (const Tensor& x : {floats({6}), some, floats({6})}) ASSERT_TRUE(run(*session, {{"x", x}}).ok());
  const Json events = end(*session);
  for (const char* name : {"convert", "grow"}) {
    std::vector<int64_t> found;
    for (const Json& node : nodes(events, name)) found.push_back(node["output_type_shape"][0]["float"][1]);
    EXPECT_THAT(found, ElementsAre(6, 1, 6)) << name;
  }
}

ModelBuilder loop_model() {
  ModelBuilder body(17);
  body.input("i", DType::i64, {});
  body.input("go", DType::boolean, {});
  body.input("v", DType::f32, {""});
  body.node("Identity", {"go"}, {"go_next"}, {}, "again");
  body.node("Concat", {"v", "v"}, {"v_next"}, {attr("axis", 0)}, "double");
  body.output("go_next", DType::boolean, {});
  body.output("v_next", DType::f32, {""});
  ModelBuilder model(17);
  model.input("n", DType::i64, {});
  model.input("x", DType::f32, {"1"});
  model.node_with_graphs("Loop", {"n", "", "x"}, {"y"}, {{"body", body}});
  model.output("y", DType::f32, {""});
  return model;
}

TEST_F(profiler, shows_the_steps_of_subgraphs) {
  const auto session = session_of(loop_model());
  ASSERT_TRUE(run(*session, {{"n", scalar_i64(3)}, {"x", floats({1})}}).ok());
  const Json events = end(*session);
  std::vector<int64_t> sizes;
  for (const Json& node : nodes(events, "double")) sizes.push_back(node["output_type_shape"][0]["float"][0]);
  EXPECT_THAT(sizes, ElementsAre(2, 4, 8));
  const auto all = names(events);
  EXPECT_EQ(std::ranges::count(all, "SequentialExecutor::Execute"), 4);
  EXPECT_EQ(all.back(), "model_run");
}

TEST_F(profiler, keeps_the_events_of_a_run_that_fails) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"4"});
  model.input("s", DType::i64, {"k"});
  model.node("Exp", {"x"}, {"e"}, {}, "grow");
  model.node("Reshape", {"e", "s"}, {"y"}, {}, "form");
  model.output("y", DType::f32, {});
  const auto session = session_of(model);
  const int64_t too_many[] = {9};
  EXPECT_FALSE(run(*session, {{"x", floats({4})}, {"s", vector_i64(too_many)}}).ok());
  EXPECT_THAT(names(end(*session)), ElementsAre("session_initialization", "grow_kernel_time", "form_kernel_time",
                                                "SequentialExecutor::Execute", "model_run"));
}

TEST_F(profiler, tells_the_threads_of_runs_apart) {
  const auto session = session_of(exp_model());
  constexpr int kThreads = 3, kRuns = 200;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < kRuns; ++n) EXPECT_TRUE(run(*session, {{"x", floats({i + 1, 3})}}).ok());
    });
  for (auto& thread : threads) thread.join();
  std::map<int64_t, std::map<std::string, int>> counts;  // by thread
  std::map<int64_t, std::set<int64_t>> rows;
  for (const Json& event : end(*session)) {
    if (event["name"] == "session_initialization" || event["ph"] != "X") continue;
    ++counts[event["tid"]][event["name"]];
    if (event["name"] == "clip_kernel_time")
      rows[event["tid"]].insert(event["args"]["output_type_shape"][0]["float"][0].get<int64_t>());
  }
  EXPECT_EQ(counts.size(), size_t{kThreads});
  for (const auto& [thread, by_name] : counts)
    for (const auto& [name, count] : by_name) EXPECT_EQ(count, kRuns) << name;
  for (const auto& [thread, found] : rows) EXPECT_EQ(found.size(), 1u);
}

TEST_F(profiler, ends_while_runs_go_on) {
  const auto session = session_of(exp_model());
  std::atomic<bool> stop = false;
  std::thread runner([&] {
    while (!stop) EXPECT_TRUE(run(*session, {{"x", floats({2, 3})}}).ok());
  });
  while (session->profiler()->is_recording()) end(*session);
  stop = true;
  runner.join();
}

TEST_F(profiler, ends_once) {
  const auto session = session_of(exp_model());
  const auto first = session->profiler()->end();
  ASSERT_TRUE(first.ok());
  EXPECT_NE(*first, "");
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  const auto second = session->profiler()->end();
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*second, "");
  EXPECT_THAT(names(read(*first)), ElementsAre("session_initialization"));
}

// The file is the parent's alone.
TEST_F(profiler, is_not_written_by_the_child_of_a_fork) {
  auto session = session_of(exp_model());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  const pid_t child = fork();
  if (child == 0) {
    const bool ran = run(*session, {{"x", floats({4, 3})}}).ok();
    const auto ended = session->profiler()->end();
    _exit(ran && ended.ok() && ended->empty() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(nodes(end(*session)).size(), 3u);
}

TEST_F(profiler, is_written_when_nobody_ends_it) {
  auto session = session_of(exp_model());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  session.reset();
  ASSERT_EQ(files().size(), 1u);
  EXPECT_EQ(nodes(read(files()[0])).size(), 3u);
}

TEST_F(profiler, says_that_its_file_cannot_be_made) {
  const std::string prefix = (folder_ / "missing" / "p").string();
  Profiler profiler(prefix, logger_);
  EXPECT_FALSE(profiler.is_recording());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], AllOf(HasSubstr(prefix), HasSubstr("No such file or directory")));
  for (int i = 0; i < 2; ++i) {
    const auto ended = profiler.end();
    ASSERT_FALSE(ended.ok());
    EXPECT_THAT(ended.status().message(), HasSubstr(prefix));
  }
}

TEST_F(profiler, says_that_its_file_cannot_be_written) {
  const auto session = session_of(exp_model());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  const auto ended = session->profiler()->end();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(ended.ok());
  EXPECT_THAT(ended.status().message(), AllOf(HasSubstr(folder_.string()), HasSubstr("File too large")));
  EXPECT_TRUE(files().empty());
}

TEST_F(profiler, loses_events_beyond_its_most_with_one_warning) {
  const auto session = session_of(exp_model(), 8);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  EXPECT_EQ(names(end(*session)).size(), 8u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("it keeps 8 events"));
}

TEST_F(profiler, keeps_any_name_as_json) {
  const auto session = session_of(exp_model("a \"b\" \\ \n \xff \xc3\xa9"));
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  EXPECT_THAT(names(end(*session)), Contains("a \"b\" \\ \n \xEF\xBF\xBD \xc3\xa9_kernel_time"));
}

// A step that stands for several of the model's nodes says which, and what they were.
TEST_F(profiler, says_what_a_step_was_made_from) {
  const auto facts =
      std::make_shared<StepFacts>(StepFacts{"product", "FusedMatMul", "CPUExecutionProvider", 7, {"product", "bias"}});
  const auto record = std::make_shared<const StepRecord>(StepRecord{facts, "fused", {}, {}, {}, {}, {}});
  Profiler profiler((folder_ / "p").string(), logger_);
  profiler.set_operators({{"product", "MatMul"}, {"bias", "Add"}});
  profiler.keep(record);
  RunTrace(profiler, 1).add_step(record.get(), 0, 1, {});
  const Json node = nodes(read(profiler.end().value())).at(0);
  EXPECT_EQ(node["origins"], Json::parse(R"(["product", "bias"])"));
  EXPECT_EQ(node["fused_from"], Json::parse(R"(["MatMul", "Add"])"));
  EXPECT_EQ(node["kernel"], "fused");
  EXPECT_EQ(node["node_index"], "7");
}

TEST_F(profiler, measures_time_as_the_steady_clock_does) {
  Profiler profiler((folder_ / "p").string(), logger_);
  const auto steady = std::chrono::steady_clock::now();
  const int64_t start = TraceClock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  profiler.add_session_event(SessionEvent::run, start);
  const auto passed = std::chrono::steady_clock::now() - steady;
  const Json event = read(profiler.end().value()).at(0);
  EXPECT_GE(event["dur"], 19'990);
  EXPECT_LE(event["dur"], std::chrono::duration_cast<std::chrono::microseconds>(passed).count() + 10);
}

TEST_F(profiler, records_one_run_for_its_options) {
  SessionOptions options;
  options.logger = &logger_;
  options.passes.to = passes::Level::extended;
  auto bytes = onnx::write_model_to_string(exp_model().model());
  auto model = onnx::model_from_bytes(std::as_bytes(std::span(*bytes)), onnx::Ownership::copy);
  const auto session = Session::create(std::move(model).value(), options).value();
  Profiler of_run((folder_ / "run").string(), logger_);
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}, {.profiler = &of_run}).ok());
  ASSERT_TRUE(run(*session, {{"x", floats({4, 3})}}).ok());
  const Json events = read(of_run.end().value());
  EXPECT_THAT(names(events), ElementsAre("grow_kernel_time", "product_kernel_time", "clip_kernel_time",
                                         "SequentialExecutor::Execute", "model_run"));
}

TEST_F(profiler, draws_the_arena_over_the_schedule) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n"});
  model.node("Exp", {"x"}, {"a"});
  model.node("Concat", {"a", "a", "a"}, {"b"}, {attr("axis", 0)});
  model.node("ReduceMean", {"b"}, {"y"});
  model.output("y", DType::f32, {"1"});
  const auto session = session_of(model);
  ASSERT_TRUE(run(*session, {{"x", floats({1024})}}).ok());
  std::vector<size_t> arena;
  size_t peak = 0;
  for (const Json& event : end(*session)) {
    if (event["ph"] == "C") arena.push_back(event["args"]["arena"]);
    if (event["cat"] == "Node") peak = std::stoull(event["args"]["mem_in_use_peak"].get<std::string>());
  }
  // a; a and b; b and what the mean needs; nothing.
  EXPECT_THAT(arena, ElementsAre(4096, 4 * 4096, AllOf(Ge(3 * 4096), Lt(4 * 4096)), 0));
  const auto estimate = plan::estimate_memory(session->compiled()->program(), {{"n", 1024}});
  ASSERT_TRUE(estimate.ok());
  EXPECT_EQ(estimate->arena, size_t{4 * 4096});
  EXPECT_GE(peak, estimate->arena);
}

}  // namespace
}  // namespace sdx::runtime
