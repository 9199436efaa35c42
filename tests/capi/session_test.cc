// Sessions through sardonyx.hpp, which is all of the C ABI that a program needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::Error;
using sardonyx::Session;
using sardonyx::SessionOptions;
using testing::ElementsAre;
using testing::HasSubstr;
using XValue = sardonyx::Value;
namespace fs = std::filesystem;

constexpr float kX[] = {-1, 2, -3, 4, -5, 6};

Session clip_session(const SessionOptions& options = {}) {
  const std::string model = clip_model();
  return Session::from_bytes(as_bytes(model), options);
}

// The status of what throws.
template <typename Action>
std::pair<OrtErrorCode, std::string> failure(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ORT_OK, ""};
}

class model_file : public testing::Test {
 protected:
  model_file() : folder_(fs::temp_directory_path() / ("sdx_capi_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~model_file() override { fs::remove_all(folder_); }
  std::string write(const char* name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  fs::path folder_;
};

TEST(session, lists_inputs_outputs_and_overridable_initializers) {
  const Session session = clip_session();
  ASSERT_EQ(session.inputs().size(), 1u);
  EXPECT_EQ(session.inputs()[0].name, "x");
  EXPECT_EQ(to_text(session.inputs()[0].type), "tensor(float)[batch,3]");
  ASSERT_EQ(session.overridable().size(), 1u);
  EXPECT_EQ(to_text(session.overridable()[0].type), "tensor(float)[]");
  ASSERT_EQ(session.outputs().size(), 1u);
  EXPECT_EQ(to_text(session.outputs()[0].type), "tensor(float)[batch,3]");
}

TEST(session, runs) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  const auto outputs = session.run({{"x", x}});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_THAT(outputs[0].values<float>(), ElementsAre(0, 2, 0, 4, 0, 6));
  EXPECT_THAT(outputs[0].shape(), ElementsAre(2, 3));
}

TEST(session, takes_another_value_for_an_overridable_initializer) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3}), lo = XValue::scalar(3.0f);
  EXPECT_THAT(session.run({{"x", x}, {"lo", lo}}, {"y"})[0].values<float>(), ElementsAre(3, 3, 3, 4, 3, 6));
}

TEST(session, writes_into_a_given_output) {
  const Session session = clip_session();
  std::vector<float> memory(6, -1);
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  std::vector<XValue> outputs;
  outputs.push_back(XValue::borrow(std::span(memory), {2, 3}));
  const std::vector<Session::Input> inputs{{"x", x}};
  const std::vector<std::string> names{"y"};
  session.run_into(inputs, names, outputs);
  EXPECT_THAT(memory, ElementsAre(0, 2, 0, 4, 0, 6));
  outputs[0] = XValue::borrow(std::span(memory), {3, 2});
  const auto [code, text] = failure([&] { session.run_into(inputs, names, outputs); });
  EXPECT_EQ(code, ORT_INVALID_ARGUMENT);
  EXPECT_THAT(text, HasSubstr("output \"y\""));
  EXPECT_THAT(text, HasSubstr("[3,2]"));
  EXPECT_THAT(text, HasSubstr("[2,3]"));
}

TEST(session, reports_wrong_inputs_as_onnx_runtime_does) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  const auto run = [&](const char* name, const XValue& value, const char* output = "y") {
    return failure([&] { session.run({{name, value}}, {output}); });
  };
  EXPECT_EQ(run("zz", x), std::pair(ORT_INVALID_ARGUMENT, std::string("Invalid input name: zz")));
  EXPECT_EQ(run("x", x, "nope"), std::pair(ORT_INVALID_ARGUMENT, std::string("Invalid output name:nope")));
  EXPECT_EQ(
      run("x", XValue::tensor<float>(kX, {2, 3, 1})),
      std::pair(ORT_INVALID_ARGUMENT, std::string("Invalid rank for input: x Got: 3 Expected: 2 Please fix either "
                                                  "the inputs/outputs or the model.")));
  const auto [code, text] = run("x", XValue::tensor<double>(std::vector<double>(6), {2, 3}));
  EXPECT_EQ(code, ORT_INVALID_ARGUMENT);
  EXPECT_THAT(text, HasSubstr("Unexpected input data type. Actual: (tensor(double)) , expected: (tensor(float))"));
}

TEST(session, a_set_terminate_flag_stops_a_run) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  sardonyx::RunOptions options;
  options.terminate();
  EXPECT_EQ(failure([&] {
              session.run({{"x", x}}, {}, &options);
            }),
            std::pair(ORT_FAIL, std::string("Exiting due to terminate flag being set to true.")));
  options.unset_terminate();
  EXPECT_EQ(session.run({{"x", x}}, {}, &options).size(), 1u);
}

TEST(session, a_time_limit_stops_a_run) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  sardonyx::RunOptions options;
  options.time_limit(std::chrono::nanoseconds(1));
  const auto [code, text] = failure([&] { session.run({{"x", x}}, {}, &options); });
  EXPECT_EQ(code, ORT_FAIL);
  EXPECT_THAT(text, HasSubstr("deadline"));
}

TEST(session, gives_metadata) {
  const auto metadata = clip_session().metadata();
  EXPECT_EQ(metadata.producer_name, "tests");
  EXPECT_EQ(metadata.graph_name, "g");
  EXPECT_EQ(metadata.version, 7);
  EXPECT_EQ(metadata.custom.at("author"), "nobody");
}

TEST(session, fixes_free_dimensions) {
  const Session session = clip_session(SessionOptions().free_dimension("batch", 2));
  EXPECT_EQ(to_text(session.inputs()[0].type), "tensor(float)[2,3]");
  EXPECT_EQ(to_text(session.outputs()[0].type), "tensor(float)[2,3]");
}

TEST(session, fixes_denoted_dimensions) {
  ModelMaker maker;
  maker.input({"x", DType::f32, {"n", 3}}).output({"y", DType::f32, {"n", 3}}).node({"Relu", {"x"}, {"y"}});
  maker.proto.graph->input[0].type->tensor_type->shape->dim[0].denotation = "DATA_BATCH";
  const std::string model = maker.bytes();
  SessionOptions options;
  sardonyx::check(sardonyx::ort_api().AddFreeDimensionOverride(options.handle(), "DATA_BATCH", 5));
  EXPECT_EQ(to_text(Session::from_bytes(as_bytes(model), options).inputs()[0].type), "tensor(float)[5,3]");
}

TEST(session, runs_many_threads_at_once) {
  const Session session = clip_session(SessionOptions().threads(2));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::vector<float> elements(3 * static_cast<size_t>(t + 1), static_cast<float>(t));
        const XValue x = XValue::tensor<float>(elements, {t + 1, 3});
        const auto outputs = session.run({{"x", x}});
        const auto y = outputs[0].values<float>();
        if (!std::equal(y.begin(), y.end(), elements.begin(), elements.end())) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(session, runs_asynchronously) {
  const Session session = clip_session();
  const XValue x = XValue::tensor<float>(kX, {2, 3});
  struct Outcome {
    std::atomic<bool> done = false;
    OrtStatus* status = nullptr;
  } outcome;
  const char* const input_names[] = {"x"};
  const char* const output_names[] = {"y"};
  const OrtValue* const inputs[] = {x.handle()};
  OrtValue* outputs[] = {nullptr};
  sardonyx::check(sardonyx::ort_api().RunAsync(
      session.handle(), nullptr, input_names, inputs, 1, output_names, 1, outputs,
      [](void* user_data, OrtValue**, size_t, OrtStatusPtr status) {
        auto& result = *static_cast<Outcome*>(user_data);
        result.status = status;
        result.done = true;
        result.done.notify_one();
      },
      &outcome));
  outcome.done.wait(false);
  EXPECT_EQ(outcome.status, nullptr);
  EXPECT_THAT(XValue(outputs[0]).values<float>(), ElementsAre(0, 2, 0, 4, 0, 6));
}

TEST_F(model_file, loads_from_a_path) {
  const Session session(write("clip.onnx", clip_model()));
  EXPECT_EQ(session.inputs()[0].name, "x");
}

TEST_F(model_file, loads_nothing_else) {
  const auto load = [](const std::string& path) { return failure([&] { Session session(path); }); };
  EXPECT_EQ(load(folder_ / "absent.onnx").first, ORT_NO_SUCHFILE);
  EXPECT_THAT(load(folder_ / "absent.onnx").second, HasSubstr("absent.onnx"));
  EXPECT_EQ(load(folder_).first, ORT_INVALID_PROTOBUF);
  EXPECT_EQ(load(write("empty.onnx", "")).first, ORT_INVALID_ARGUMENT);
  EXPECT_EQ(load(write("bad.onnx", "not a model")).first, ORT_INVALID_PROTOBUF);
  const std::string bad = "\xff\xff";
  EXPECT_EQ(failure([&] { Session::from_bytes(as_bytes(bad)); }).first, ORT_INVALID_PROTOBUF);
}

TEST_F(model_file, saves_the_model_where_it_is_told) {
  const std::string path = folder_ / "saved.onnx";
  clip_session(SessionOptions().optimized_model_path(path));
  EXPECT_EQ(Session(path).outputs()[0].name, "y");
  const auto [code, text] =
      failure([&] { clip_session(SessionOptions().optimized_model_path(folder_ / "no" / "saved.onnx")); });
  EXPECT_EQ(code, ORT_INVALID_ARGUMENT);
}

TEST(session, uses_initializers_of_the_caller) {
  ModelMaker maker;
  maker.input({"x", DType::f32, {3}}).output({"y", DType::f32, {3}});
  maker.initializer("lo", scalar_f32(0)).node({"Clip", {"x", "lo"}, {"y"}});
  const std::string model = maker.bytes();
  const XValue lo = XValue::scalar(5.0f);
  SessionOptions options;
  const char* const names[] = {"lo"};
  const OrtValue* const values[] = {lo.handle()};
  sardonyx::check(sardonyx::ort_api().AddExternalInitializers(options.handle(), names, values, 1));
  const XValue x = XValue::tensor<float>(std::vector<float>{4, 5, 6}, {3});
  EXPECT_THAT(Session::from_bytes(as_bytes(model), options).run({{"x", x}})[0].values<float>(), ElementsAre(5, 5, 6));
  const char* const unknown[] = {"nothing"};
  sardonyx::check(sardonyx::ort_api().AddExternalInitializers(options.handle(), unknown, values, 1));
  EXPECT_EQ(failure([&] { Session::from_bytes(as_bytes(model), options); }).first, ORT_INVALID_ARGUMENT);
}

TEST(session, reads_external_data_from_memory) {
  ModelMaker maker;
  maker.input({"x", DType::f32, {2}}).output({"y", DType::f32, {2}}).node({"Add", {"x", "w"}, {"y"}});
  auto& weight = maker.proto.graph->initializer.emplace_back();
  weight.name = "w";
  weight.data_type = static_cast<int32_t>(DType::f32);
  weight.dims = onnx::Numbers<int64_t>(std::vector<int64_t>{2});
  weight.data_location = 1;
  weight.external_data.push_back({"location", "w.bin", {}});
  const std::string model = maker.bytes();
  float elements[] = {10, 20};
  char* const buffers[] = {reinterpret_cast<char*>(elements)};
  const char* const files[] = {"w.bin"};
  const size_t sizes[] = {sizeof elements};
  SessionOptions options;
  sardonyx::check(
      sardonyx::ort_api().AddExternalInitializersFromFilesInMemory(options.handle(), files, buffers, sizes, 1));
  const XValue x = XValue::tensor<float>(std::vector<float>{1, 2}, {2});
  EXPECT_THAT(Session::from_bytes(as_bytes(model), options).run({{"x", x}})[0].values<float>(), ElementsAre(11, 22));
  EXPECT_NE(failure([&] { Session::from_bytes(as_bytes(model)); }).first, ORT_OK);
}

TEST(session, runs_a_model_that_makes_a_sequence) {
  ModelMaker maker;
  maker.input({"a", DType::f32, {"n"}}).input({"b", DType::f32, {"n"}});
  onnx::TypeProto type;
  type.sequence_type.make().elem_type.make() = ModelMaker::tensor_type(DType::f32, {"n"});
  maker.output("s", type).node({"SequenceConstruct", {"a", "b"}, {"s"}});
  const std::string model = maker.bytes();
  const Session session = Session::from_bytes(as_bytes(model));
  EXPECT_THAT(to_text(session.outputs()[0].type), HasSubstr("seq(tensor(float)"));
  const XValue a = XValue::tensor<float>(std::vector<float>{1}, {1}),
               b = XValue::tensor<float>(std::vector<float>{2}, {1});
  const auto outputs = session.run({{"a", a}, {"b", b}});
  ASSERT_EQ(outputs[0].kind(), sardonyx::Kind::sequence);
  ASSERT_EQ(outputs[0].size(), 2u);
  EXPECT_THAT(outputs[0].at(1).values<float>(), ElementsAre(2));
}

TEST(session, runs_a_model_over_strings) {
  ModelMaker maker(20);
  maker.input({"a", DType::string, {"n"}}).input({"b", DType::string, {"n"}}).output({"c", DType::string, {"n"}});
  maker.node({"StringConcat", {"a", "b"}, {"c"}});
  const std::string model = maker.bytes();
  const XValue a = XValue::strings(std::vector<std::string>{"x", ""}, {2});
  const XValue b = XValue::strings(std::vector<std::string>{"1", "long enough not to be small"}, {2});
  EXPECT_THAT(Session::from_bytes(as_bytes(model)).run({{"a", a}, {"b", b}})[0].strings(),
              ElementsAre("x1", "long enough not to be small"));
}

}  // namespace
}  // namespace sdx::test
