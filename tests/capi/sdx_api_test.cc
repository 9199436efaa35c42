// The second table: inspection, dumps, knobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using nlohmann::json;
using sardonyx::check;
using sardonyx::sdx_api;
using testing::HasSubstr;

json inspect_bytes(const std::string& model) {
  const SdxModelSource source{nullptr, model.data(), model.size(), nullptr};
  SdxBuffer buffer{};
  check(sdx_api().inspect(&source, nullptr, &buffer));
  return json::parse(sardonyx::detail::take(buffer));
}

TEST(sdx_api, serves_its_versions_only) {
  EXPECT_EQ(SdxGetApi(0), nullptr);
  EXPECT_EQ(SdxGetApi(SDX_API_VERSION + 1), nullptr);
  EXPECT_EQ(SdxGetApi(1)->version, static_cast<uint32_t>(SDX_API_VERSION));
}

TEST(sdx_api, inspects_a_model) {
  const json found = inspect_bytes(clip_model());
  EXPECT_EQ(found["producer_name"], "tests");
  EXPECT_EQ(found["opsets"]["ai.onnx"], 17);
  EXPECT_EQ(found["metadata"]["author"], "nobody");
  EXPECT_EQ(found["inputs"],
            json::parse(R"~([{"name": "x", "type": "tensor(float)", "kind": "tensor", "shape": ["batch", 3]}])~"));
  EXPECT_EQ(found["overridable"][0]["shape"], json::array());
  EXPECT_EQ(found["outputs"][0]["shape"], json::parse(R"(["batch", 3])"));
  EXPECT_EQ(found["symbols"], json::array({"batch"}));
  EXPECT_EQ(found["operators"], json::parse(R"([{"domain": "ai.onnx", "op": "Clip", "count": 1}])"));
  EXPECT_EQ(found["weights"], json::parse(R"({"count": 1, "elements": 1, "bytes": 4, "by_type": {"float": 4}})"));
  EXPECT_EQ(found["functions"], json::array());
}

TEST(sdx_api, inspects_shapes_and_what_they_assume) {
  ModelMaker maker;
  maker.input({"a", DType::f32, {"n"}}).input({"b", DType::f32, {"m"}}).output({"y", DType::f32, {7}});
  maker.node({"Add", {"a", "b"}, {"y"}});
  const json found = inspect_bytes(maker.bytes());
  EXPECT_EQ(found["values"][2],
            json::parse(R"~({"name": "y", "type": "tensor(float)", "kind": "tensor", "shape": ["broadcast(n, m)"]})~"));
  EXPECT_EQ(found["assumptions"], json::parse(R"~([
    {"kind": "declared", "value": "y", "declared": "f32[7]", "inferred": "f32[broadcast(n, m)]"},
    {"kind": "condition", "node": "y (Add)", "condition": "n and m are equal, or one is 1"}])~"));
}

TEST(sdx_api, foresees_memory_and_tells_how_a_session_runs) {
  ModelMaker maker;
  maker.input({"x", DType::f32, {"n", 8}}).output({"y", DType::f32, {"n", 8}});
  maker.node({"Transpose", {"x"}, {"t"}}).node({"Softmax", {"t"}, {"e"}}).node({"Transpose", {"e"}, {"y"}});
  const std::string model = maker.bytes();
  const auto session = sardonyx::Session::from_bytes(as_bytes(model));
  const json open = json::parse(session.plan_memory());
  EXPECT_EQ(open["symbols"], json::array({"n"}));
  EXPECT_TRUE(open["bytes"].is_null());
  EXPECT_THAT(open["formula"].get<std::string>(), HasSubstr("32*n"));
  const json bytes = json::parse(session.plan_memory({{"n", 100}}))["bytes"];
  EXPECT_EQ(bytes["arena"], 100 * 8 * 4) << "e is written over t";
  EXPECT_EQ(bytes["outputs"], 100 * 8 * 4);
  const json plan = json::parse(session.plan_statistics());
  EXPECT_EQ(plan["steps"], 3);
  EXPECT_EQ(plan["in_place"], 1);
  EXPECT_EQ(plan["dynamic"], 0);
}

TEST(sdx_api, replaces_weights) {
  const std::string model = clip_model();
  auto session = sardonyx::Session::from_bytes(as_bytes(model));
  const std::vector<float> elements{-100, 0.125F, 100};
  const auto x = sardonyx::Value::tensor<float>(elements, {1, 3});
  const auto run = [&] {
    const auto outputs = session.run({{"x", x}});
    const auto values = outputs[0].values<float>();
    return std::vector<float>(values.begin(), values.end());
  };
  EXPECT_EQ(run(), (std::vector<float>{0, 0.125F, 100}));
  const auto other = sardonyx::Value::scalar(0.25F), wrong = sardonyx::Value::tensor<float>(elements, {3});
  const sardonyx::Session::Input shape[] = {{"lo", wrong}}, unknown[] = {{"nobody", other}}, good[] = {{"lo", other}};
  EXPECT_THROW(session.replace_weights(shape), sardonyx::Error);
  EXPECT_THROW(session.replace_weights(unknown), sardonyx::Error);
  EXPECT_EQ(run(), (std::vector<float>{0, 0.125F, 100})) << "a failed replacement changes nothing";
  session.replace_weights(good);
  EXPECT_EQ(run(), (std::vector<float>{0.25F, 0.25F, 100}));
}

TEST(sdx_api, inspects_a_session) {
  const std::string model = clip_model();
  const auto session = sardonyx::Session::from_bytes(as_bytes(model));
  EXPECT_EQ(json::parse(session.inspect())["nodes"], 1);
  EXPECT_THAT(session.dump_graph(), HasSubstr("Clip(x, lo"));
}

TEST(sdx_api, writes_json_whatever_the_model_holds) {
  ModelMaker maker;
  maker.proto.producer_name = "a\"b\\c\n\xff\xc3\xa9\xed\xa0\x80";
  maker.input({"x", DType::f32, {1}}).output({"y", DType::f32, {1}}).node({"Relu", {"x"}, {"y"}});
  const json found = inspect_bytes(maker.bytes());
  EXPECT_THAT(found["producer_name"].get<std::string>(), testing::StartsWith("a\"b\\c\n\uFFFD\u00E9\uFFFD"));
}

TEST(sdx_api, wants_one_source) {
  SdxBuffer buffer{};
  const SdxModelSource none{};
  EXPECT_THROW(check(sdx_api().inspect(&none, nullptr, &buffer)), sardonyx::Error);
  EXPECT_THROW(check(sdx_api().inspect(nullptr, nullptr, &buffer)), sardonyx::Error);
  EXPECT_EQ(buffer.data, nullptr);
}

// y = x after `count` steps of a loop: about 20 ns each.
std::string loop_model() {
  ModelMaker maker;
  maker.input({"count", DType::i64, {}}).input({"x", DType::f32, {"n"}}).output({"y", DType::f32, {"n"}});
  maker.node({"Loop", {"count", "", "x"}, {"y"}});
  auto& body = maker.proto.graph->node[0].attribute.emplace_back();
  body.name = "body";
  body.type = 5;
  ModelMaker inner;
  inner.input({"i", DType::i64, {}}).input({"go", DType::boolean, {}}).input({"v", DType::f32, {"n"}});
  inner.output({"go_on", DType::boolean, {}}).output({"w", DType::f32, {"n"}});
  inner.node({"Identity", {"go"}, {"go_on"}}).node({"Neg", {"v"}, {"w"}});
  body.g.make() = *inner.proto.graph;
  return maker.bytes();
}

TEST(run_priority, low_runs_give_way_to_others_and_end_all_the_same) {
  const std::string model = loop_model();
  const sardonyx::Session session = sardonyx::Session::from_bytes(as_bytes(model));
  const auto x = sardonyx::Value::tensor<float>(std::vector<float>{1}, {1});
  const auto endless = sardonyx::Value::scalar<int64_t>(INT64_MAX);
  const auto few = sardonyx::Value::scalar<int64_t>(3);
  sardonyx::RunOptions high, low;
  high.priority(1);
  low.priority(-1);
  EXPECT_THROW(low.priority(2), sardonyx::Error);
  std::thread other([&] { EXPECT_THROW(session.run({{"count", endless}, {"x", x}}, {}, &high), sardonyx::Error); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  using Clock = std::chrono::steady_clock;
  const auto timed = [&](sardonyx::RunOptions& options) {
    const auto begin = Clock::now();
    const auto outputs = session.run({{"count", few}, {"x", x}}, {}, &options);
    EXPECT_EQ(outputs[0].values<float>()[0], -1);
    return Clock::now() - begin;
  };
  const auto paused = timed(low);  // the other one does not end: the longest pause
  EXPECT_GE(paused, std::chrono::milliseconds(900));
  EXPECT_LE(paused, std::chrono::milliseconds(5000));
  sardonyx::RunOptions equal;
  equal.priority(1);
  EXPECT_LE(timed(equal), std::chrono::milliseconds(800));
  low.time_limit(std::chrono::milliseconds(100));  // a pause ends with the time there is
  EXPECT_THROW(timed(low), sardonyx::Error);
  high.terminate();
  other.join();
  sardonyx::RunOptions alone;
  alone.priority(-1);
  EXPECT_LE(timed(alone), std::chrono::milliseconds(800));
}

TEST(sdx_api, lists_operators) {
  const json operators = json::parse(sardonyx::operators());
  const auto found = [&](std::string_view domain, std::string_view op) {
    for (const json& one : operators)
      if (one["domain"] == domain && one["op"] == op) return one;
    return json();
  };
  const json clip = found("ai.onnx", "Clip");
  EXPECT_EQ(clip["since"], 1);
  EXPECT_EQ(clip["newest"], 13);
  EXPECT_EQ(clip["kind"], "optimized");
  EXPECT_EQ(clip["types"][0]["name"], "T");
  EXPECT_EQ(found("ai.onnx", "Scatter")["deprecated"], 11);
  EXPECT_EQ(found("ai.onnx", "Reshape")["kind"], "view");
  EXPECT_TRUE(found("com.microsoft", "FusedMatMul")["types"].is_null());
}

TEST(sdx_api, lists_knobs) {
  const json knobs = json::parse(sardonyx::knobs());
  ASSERT_FALSE(knobs.empty());
  for (const json& knob : knobs) EXPECT_EQ(knob.size(), 6u);
}

}  // namespace
}  // namespace sdx::test
