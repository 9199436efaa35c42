#include "runtime/session.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"

namespace sdx::runtime {
namespace {

using onnx::attr;
using onnx::ModelBuilder;

std::unique_ptr<Session> session_of(const ModelBuilder& builder, SessionOptions options = {}) {
  static Logger silent("", Severity::fatal);
  if (options.logger == nullptr) options.logger = &silent;
  auto bytes = onnx::write_model_to_string(builder.model());
  EXPECT_TRUE(bytes.ok());
  auto model = onnx::model_from_bytes(std::as_bytes(std::span(*bytes)), onnx::Ownership::copy);
  EXPECT_TRUE(model.ok());
  auto session = Session::create(std::move(model).value(), options);
  EXPECT_TRUE(session.ok()) << session.status().message();
  return session.ok() ? std::move(session).value() : nullptr;
}

Tensor floats(std::vector<int64_t> shape, const std::function<float(int64_t)>& at) {
  Tensor tensor = Tensor::allocate(DType::f32, shape).value();
  for (int64_t i = 0; i < tensor.count(); ++i) tensor.data<float>()[i] = at(i);
  return tensor;
}
float wave(int64_t i) { return std::sin(static_cast<float>(i) * 0.7f); }

std::vector<float> values_of(const Value& value) {
  const auto span = value.tensor().values<float>();
  return {span.begin(), span.end()};
}

// y = Relu(x) + Reshape(Relu(x)), then its rows' sums.
ModelBuilder rows_model() {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n", "m"});
  model.node("Relu", {"x"}, {"a"});
  model.node("Shape", {"a"}, {"s"});
  model.node("Reshape", {"a", "s"}, {"b"});
  model.node("Add", {"a", "b"}, {"y"});
  model.node("Exp", {"y"}, {"z"});
  model.output("y", DType::f32, {"n", "m"});
  model.output("z", DType::f32, {"n", "m"});
  return model;
}

TEST(session, takes_one_element_of_any_rank_for_a_scalar) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {});
  model.node("Exp", {"x"}, {"y"});
  model.output("y", DType::f32, {});
  const auto session = session_of(model);
  for (int round = 0; round < 2; ++round) {
    const Feed of_rank_2[] = {{"x", floats({1, 1}, wave)}}, two_elements[] = {{"x", floats({2}, wave)}};
    const auto one = session->run(of_rank_2, {});
    ASSERT_TRUE(one.ok()) << one.status().message();
    EXPECT_EQ((*one)[0].tensor().rank(), 0);
    EXPECT_FALSE(session->run(two_elements, {}).ok());
  }
}

TEST(session, serves_shapes_it_has_never_seen) {
  const auto session = session_of(rows_model());
  for (const auto& [n, m] : {std::pair<int64_t, int64_t>{3, 5}, {1, 1}, {0, 4}, {64, 33}, {3, 5}, {2, 7}}) {
    const Tensor x = floats({n, m}, wave);
    const Feed feeds[] = {{"x", x}};
    const auto outputs = session->run(feeds, {});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ((*outputs)[0].tensor().shape(), (Shape{n, m}));
    for (int64_t i = 0; i < n * m; ++i) {
      const float y = 2 * std::max(wave(i), 0.0f);
      ASSERT_EQ(values_of((*outputs)[0])[static_cast<size_t>(i)], y);
      ASSERT_NEAR(values_of((*outputs)[1])[static_cast<size_t>(i)], std::exp(y), 1e-5);
    }
  }
}

TEST(session, runs_without_an_assumption_that_does_not_hold) {
  ModelBuilder model(17);
  model.input("a", DType::f32, {"n"});
  model.input("b", DType::f32, {"n"});
  model.node("Relu", {"a"}, {"c"});
  model.node("Exp", {"b"}, {"d"});
  model.node("Concat", {"c", "d"}, {"y"}, {attr("axis", 0)});
  model.output("y", DType::f32, {"2n"});
  const auto session = session_of(model);
  const Tensor a = floats({2}, wave), b = floats({3}, [](int64_t) { return 0.0f; });
  const Feed feeds[] = {{"a", a}, {"b", b}};
  for (int run = 0; run < 3; ++run) {
    const auto outputs = session->run(feeds, {});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ(values_of((*outputs)[0]), (std::vector<float>{0, wave(1), 1, 1, 1}));
  }
}

TEST(session, names_the_node_whose_shapes_do_not_fit) {
  ModelBuilder model(17);
  model.input("a", DType::f32, {"n", "k"});
  model.input("b", DType::f32, {"j", "m"});
  model.node("MatMul", {"a", "b"}, {"y"}, {}, "product_7");
  model.output("y", DType::f32, {"n", "m"});
  const auto session = session_of(model);
  const Tensor a = floats({2, 3}, wave), b = floats({4, 2}, wave), good = floats({3, 2}, wave);
  const Feed wrong[] = {{"a", a}, {"b", b}}, right[] = {{"a", a}, {"b", good}};
  const auto failed = session->run(wrong, {});
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.status().message().find("product_7"), std::string::npos) << failed.status().message();
  EXPECT_TRUE(session->run(right, {}).ok());
}

TEST(session, binds_again_behind_sizes_that_data_decide) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n"});
  model.node("NonZero", {"x"}, {"i"});
  model.node("Cast", {"i"}, {"f"}, {attr("to", int64_t{1})});
  model.node("Add", {"f", "f"}, {"g"});
  model.node("Exp", {"x"}, {"early"});
  model.output("g", DType::f32, {"1", "k"});
  model.output("early", DType::f32, {"n"});
  const auto session = session_of(model);
  for (const auto& x : {std::vector<float>{0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}}) {
    const Tensor tensor = floats({4}, [&](int64_t i) { return x[static_cast<size_t>(i)]; });
    const Feed feeds[] = {{"x", tensor}};
    const auto outputs = session->run(feeds, {});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    std::vector<float> wanted;
    for (size_t i = 0; i < x.size(); ++i)
      if (x[i] != 0) wanted.push_back(2 * static_cast<float>(i));
    EXPECT_EQ(values_of((*outputs)[0]), wanted);
  }
}

TEST(session, keeps_views_that_only_the_run_finds) {
  ModelBuilder model(21);
  model.input("x", DType::f32, {"n", "4", "m"});
  model.input("z", DType::f32, {"12"});
  model.node("Relu", {"x"}, {"a"});
  model.node("Squeeze", {"a"}, {"b"});  // of a rank that only the run knows
  model.node("Flatten", {"b"}, {"y"}, {attr("axis", 2)});
  model.node("Exp", {"z"}, {"c"});  // where `a` lay
  model.node("Concat", {"c", "c"}, {"d"}, {attr("axis", 0)});
  model.output("y", DType::f32, {"rows", "columns"});
  model.output("d", DType::f32, {"24"});
  const auto session = session_of(model);
  const Tensor x = floats({3, 4, 1}, wave), z = floats({12}, wave);
  const Feed feeds[] = {{"x", x}, {"z", z}};
  const auto outputs = session->run(feeds, {});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  for (int64_t i = 0; i < 12; ++i)
    EXPECT_EQ(values_of((*outputs)[0])[static_cast<size_t>(i)], std::max(wave(i), 0.0f)) << i;
}

TEST(session, hands_out_values_that_share_no_memory) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n"});
  model.node("Identity", {"x"}, {"same"});
  model.node("Relu", {"x"}, {"a"});
  model.node("Unsqueeze", {"a", "axes"}, {"view"});
  model.initializer("axes", vector_i64(std::vector<int64_t>{0}));
  for (const char* name : {"same", "a"}) model.output(name, DType::f32, {"n"});
  model.output("view", DType::f32, {"1", "n"});
  const auto session = session_of(model);
  const Tensor x = floats({4}, wave);
  const Feed feeds[] = {{"x", x}};
  const auto first = session->run(feeds, {}), second = session->run(feeds, {});
  ASSERT_TRUE(first.ok() && second.ok());
  std::set<const void*> places{x.raw()};
  for (const auto* outputs : {&*first, &*second})
    for (const Value& value : *outputs) EXPECT_TRUE(places.insert(value.tensor().raw()).second);
  EXPECT_EQ(values_of((*first)[2]), values_of((*first)[1]));
}

TEST(session, writes_into_outputs_that_the_caller_gives) {
  const auto session = session_of(rows_model());
  const Tensor x = floats({4, 4}, wave);
  const Feed feeds[] = {{"x", x}};
  const std::string_view names[] = {"y", "z"};
  const auto wanted = session->run(feeds, names);
  const Tensor y = floats({4, 4}, wave), wrong = floats({4, 5}, wave);
  const Value given[] = {y, wrong};
  const auto outputs = session->run(feeds, names, given);
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ((*outputs)[0].tensor().raw(), y.raw());
  EXPECT_NE((*outputs)[1].tensor().raw(), wrong.raw()) << "another shape";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(values_of((*outputs)[i]), values_of((*wanted)[i]));
  const Value over_input[] = {x, Value()};  // y may not be written while x is still read
  const auto overlapping = session->run(feeds, names, over_input);
  ASSERT_TRUE(overlapping.ok());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(values_of((*overlapping)[i]), values_of((*wanted)[i]));
}

// The caller gives one buffer as past and as present: a step writes the new token's row and nothing else.
TEST(session, grows_a_cache_in_place) {
  constexpr int64_t kTokens = 4096, kSize = 8;
  ModelBuilder model(17);
  for (const char* name : {"q", "k", "v"}) model.input(name, DType::f32, {"1", "1", "8"});
  for (const char* name : {"past_k", "past_v"}) model.input(name, DType::f32, {"1", "1", "capacity", "8"});
  model.input("last", DType::i32, {"1"});
  model.input("total", DType::i32, {});
  model.import_opset("com.microsoft", 1);
  model.node("GroupQueryAttention", {"q", "k", "v", "past_k", "past_v", "last", "total"},
             {"y", "present_k", "present_v"}, {attr("num_heads", int64_t{1}), attr("kv_num_heads", int64_t{1})}, "",
             "com.microsoft");
  model.output("y", DType::f32, {"1", "1", "8"});
  for (const char* name : {"present_k", "present_v"}) model.output(name, DType::f32, {"1", "1", "capacity", "8"});
  const auto session = session_of(model);
  const Tensor keys = floats({1, 1, kTokens, kSize}, wave), values = floats({1, 1, kTokens, kSize}, wave);
  for (const int32_t position : {0, 1, 4000}) {
    const std::vector<float> before = values_of(keys);
    const Tensor token = floats({1, 1, kSize}, [&](int64_t i) { return static_cast<float>(position + i) + 0.5f; });
    const int32_t total = position + 1;
    const Feed feeds[] = {{"q", token},
                          {"k", token},
                          {"v", token},
                          {"past_k", keys},
                          {"past_v", values},
                          {"last", make_tensor<int32_t>(DType::i32, Shape{1}, {&position, 1})},
                          {"total", make_tensor<int32_t>(DType::i32, {}, {&total, 1})}};
    const std::string_view names[] = {"y", "present_k", "present_v"};
    const Value given[] = {Value(), keys, values};
    const auto outputs = session->run(feeds, names, given);
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ((*outputs)[1].tensor().raw(), keys.raw());
    EXPECT_EQ((*outputs)[2].tensor().raw(), values.raw());
    for (int64_t i = 0; i < kTokens * kSize; ++i) {
      const bool is_new = i / kSize == position;
      const float wanted = is_new ? token.data<float>()[i % kSize] : before[static_cast<size_t>(i)];
      ASSERT_EQ(keys.data<float>()[i], wanted) << i;
    }
  }
}

TEST(session, runs_bodies_over_captured_values_and_hands_on_what_they_keep) {
  ModelBuilder then_body(17), else_body(17);
  then_body.node("Identity", {"a"}, {"t"});
  then_body.output("t", DType::f32, {"n"});
  else_body.node("Add", {"a", "x"}, {"e"});
  else_body.output("e", DType::f32, {"n"});
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n"});
  model.input("c", DType::boolean, {});
  model.node("Relu", {"x"}, {"a"});
  model.node_with_graphs("If", {"c"}, {"b"}, {{"then_branch", then_body}, {"else_branch", else_body}});
  model.node("Exp", {"a"}, {"noise"});  // takes memory that `a` may have left
  model.node("Add", {"b", "b"}, {"y"});
  model.output("y", DType::f32, {"n"});
  model.output("noise", DType::f32, {"n"});
  const auto session = session_of(model);
  for (const int64_t n : {3, 5, 3}) {
    for (const bool condition : {true, false}) {
      const Tensor x = floats({n}, wave), c = make_tensor<bool>(DType::boolean, {}, {&condition, 1});
      const Feed feeds[] = {{"x", x}, {"c", c}};
      const auto outputs = session->run(feeds, {});
      ASSERT_TRUE(outputs.ok()) << outputs.status().message();
      for (int64_t i = 0; i < n; ++i) {
        const float a = std::max(wave(i), 0.0f);
        EXPECT_EQ(values_of((*outputs)[0])[static_cast<size_t>(i)], 2 * (condition ? a : a + wave(i)));
      }
    }
  }
}

TEST(session, refuses_what_needs_more_memory_than_the_limit_and_runs_on) {
  SessionOptions options;
  options.passes.to = passes::Level::extended;  // a value between each two nodes
  options.memory_limit = 100'000;
  const auto session = session_of(rows_model(), options);
  const auto run = [&](int64_t n) {
    const Tensor x = floats({n, 100}, wave);
    const Feed feeds[] = {{"x", x}};
    return session->run(feeds, {}).status();
  };
  EXPECT_TRUE(run(10).ok());
  const Status refused = run(1000);
  EXPECT_EQ(refused.code(), Code::runtime_exception);
  for (const char* part : {"out of memory", "4*n*m", "100000"})
    EXPECT_NE(refused.message().find(part), std::string::npos) << refused.message();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(run(10).ok()) << "what a run takes, it gives back";
}

// Each result is of one set of weights: the convolution's, and the product that was folded from the same one.
TEST(session, replaces_weights_while_others_run) {
  constexpr int64_t kChannels = 4;
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n", "4", "6", "6"});
  model.initializer("w", floats({kChannels, kChannels, 3, 3}, [](int64_t) { return 1.0f; }));
  model.initializer("scale", floats({}, [](int64_t) { return 2.0f; }));
  model.node("Mul", {"w", "scale"}, {"folded"});
  model.node("Conv", {"x", "w"}, {"plain"}, {attr("pads", std::vector<int64_t>{1, 1, 1, 1})});
  model.node("Conv", {"x", "folded"}, {"doubled"}, {attr("pads", std::vector<int64_t>{1, 1, 1, 1})});
  model.output("plain", DType::f32, {"n", "4", "6", "6"});
  model.output("doubled", DType::f32, {"n", "4", "6", "6"});
  const auto session = session_of(model);
  const Tensor x = floats({1, kChannels, 6, 6}, [](int64_t) { return 1.0f; });
  std::atomic<bool> stop = false;
  std::atomic<int> mixed = 0, runs = 0;
  const auto client = [&] {
    while (!stop) {
      const Feed feeds[] = {{"x", x}};
      const auto outputs = session->run(feeds, {});
      ++runs;
      if (!outputs.ok()) {
        ++mixed;
        continue;
      }
      const auto plain = (*outputs)[0].tensor().values<float>(), doubled = (*outputs)[1].tensor().values<float>();
      const float weight = plain[0] / (4 * kChannels);  // a corner sees four taps of each channel
      for (size_t i = 0; i < plain.size(); ++i)
        if (doubled[i] != 2 * plain[i] || weight != std::floor(weight)) ++mixed;
    }
  };
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) clients.emplace_back(client);
  for (int swap = 2; swap < 102; ++swap) {
    const float value = static_cast<float>(swap);
    const Status replaced =
        session->replace_weights({{"w", floats({kChannels, kChannels, 3, 3}, [&](int64_t) { return value; })}});
    ASSERT_TRUE(replaced.ok()) << replaced.message();
    const Feed feeds[] = {{"x", x}};
    const auto outputs = session->run(feeds, {});
    ASSERT_TRUE(outputs.ok());
    EXPECT_EQ(values_of((*outputs)[0])[0], value * 4 * kChannels) << "a run that begins later sees the new weights";
  }
  stop = true;
  for (std::thread& thread : clients) thread.join();
  EXPECT_EQ(mixed, 0);
  EXPECT_GT(runs, 0);
  EXPECT_FALSE(session->replace_weights({{"nothing", x}}).ok());
  EXPECT_FALSE(session->replace_weights({{"w", x}}).ok()) << "another shape";
}

TEST(arena, gives_back_what_runs_no_longer_need) {
  constexpr size_t kLarge = 32 << 20, kSmall = 1 << 20;
  Arena arena;
  ASSERT_TRUE(arena.reserve(kLarge).ok());
  std::fill_n(arena.base(), kLarge, std::byte{1});
  arena.finish(kLarge);
  for (int run = 0; run < 20; ++run) {
    ASSERT_TRUE(arena.reserve(kSmall).ok());
    arena.finish(kSmall);
  }
  std::vector<unsigned char> resident(kLarge / 4096);
  ASSERT_EQ(mincore(arena.base(), kLarge, resident.data()), 0);
  const auto pages = std::ranges::count_if(resident, [](unsigned char page) { return (page & 1) != 0; });
  EXPECT_LE(static_cast<size_t>(pages) * 4096, kSmall + 4096);
}

// Conv + BatchNormalization, of filters that are large enough to be made when they are packed.
ModelBuilder normalized_model() {
  constexpr int64_t kChannels = 64;
  ModelBuilder model(17);
  model.input("x", DType::f32, {"1", "64", "4", "4"});
  model.initializer("w", floats({kChannels, kChannels, 3, 3}, wave));
  for (const char* name : {"scale", "shift", "mean", "variance"})
    model.initializer(name, floats({kChannels}, [](int64_t i) { return 1 + 0.01f * static_cast<float>(i); }));
  model.node("Conv", {"x", "w"}, {"a"}, {attr("pads", std::vector<int64_t>{1, 1, 1, 1})});
  model.node("BatchNormalization", {"a", "scale", "shift", "mean", "variance"}, {"y"});
  model.output("y", DType::f32, {"1", "64", "4", "4"});
  return model;
}

TEST(session, packs_what_passes_make_of_weights_once_for_all_sessions_of_a_file) {
  const auto bytes = onnx::write_model_to_string(normalized_model().model());
  const std::string path = testing::TempDir() + "normalized.onnx";
  std::ofstream(path, std::ios::binary) << *bytes;
  const Tensor x = floats({1, 64, 4, 4}, wave);
  const Feed feeds[] = {{"x", x}};
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<float> first;
  const size_t before = plan::WeightStore::shared().size();
  size_t packed = 0;
  for (int i = 0; i < 3; ++i) {
    sessions.push_back(Session::create(onnx::open_model(path).value(), {}).value());
    const auto& rewrites = sessions.back()->compiled()->passes().journal.rewrites;
    EXPECT_TRUE(
        std::ranges::any_of(rewrites, [](const passes::Rewritten& one) { return one.pass == "absorb_scales"; }));
    const auto y = sessions.back()->run(feeds, {});
    ASSERT_TRUE(y.ok()) << y.status().message();
    if (i == 0) first = values_of((*y)[0]), packed = plan::WeightStore::shared().size();
    EXPECT_EQ(values_of((*y)[0]), first);
    EXPECT_GT(packed, before);
    EXPECT_EQ(plan::WeightStore::shared().size(), packed) << "session " << i << " packs anew";
  }
  SessionOptions plain;
  plain.passes.to = passes::Level::none;
  const auto unchanged = Session::create(onnx::open_model(path).value(), plain).value()->run(feeds, {});
  for (size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(values_of((*unchanged)[0])[i], first[i], 1e-3);
  std::filesystem::remove(path);
}

TEST(session, what_is_folded_into_weights_of_a_file_is_what_is_folded_in_memory) {
  for (const int64_t channels : {64, 72}) {
    const std::string size = std::to_string(channels);
    ModelBuilder model(17);
    model.input("x", DType::f32, {"1", size, "20", "20"});
    model.initializer("w", floats({channels, channels, 3, 3}, wave));
    model.initializer("v", floats({300, channels, 1, 1}, wave));
    for (const char* name : {"scale", "shift", "mean", "variance"})
      model.initializer(name, floats({channels}, [](int64_t i) { return 1 + 0.01f * static_cast<float>(i); }));
    model.node("Conv", {"x", "w"}, {"a"}, {attr("pads", std::vector<int64_t>{1, 1, 1, 1})});
    model.node("BatchNormalization", {"a", "scale", "shift", "mean", "variance"}, {"b"});
    model.node("Relu", {"b"}, {"c"});
    model.node("Conv", {"c", "v"}, {"y"});
    model.output("y", DType::f32, {"1", "300", "20", "20"});
    const Tensor x = floats({1, channels, 20, 20}, wave);
    const Feed feeds[] = {{"x", x}};
    const auto wanted = session_of(model)->run(feeds, {}).value();
    const auto bytes = onnx::write_model_to_string(model.model());
    const std::string path = testing::TempDir() + "folded.onnx";
    std::ofstream(path, std::ios::binary) << *bytes;
    const auto found = Session::create(onnx::open_model(path).value(), {}).value()->run(feeds, {}).value();
    EXPECT_EQ(values_of(found[0]), values_of(wanted[0]));
    std::filesystem::remove(path);
  }
}

// The weights' place in the file differs with `name`'s length.
ModelBuilder products_model(const std::string& name) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"2", "150"});
  model.input("rows", DType::i64, {"3"});
  model.initializer(name + "w", floats({150, 2000}, wave));
  model.initializer(name + "turned", floats({150, 2000}, wave));
  model.initializer(name + "table", floats({4200, 1024}, [](int64_t i) { return static_cast<float>(i); }));
  model.node("MatMul", {"x", name + "w"}, {"a"});
  model.node("Gemm", {"a", name + "turned"}, {"y"}, {attr("transB", int64_t{1})});
  model.node("Gather", {name + "table", "rows"}, {"z"});
  model.output("y", DType::f32, {"2", "150"});
  model.output("z", DType::f32, {"3", "1024"});
  return model;
}

TEST(session, weights_of_a_file_serve_wherever_they_lie_in_it) {
  const Tensor x = floats({2, 150}, wave), rows = vector_i64(std::vector<int64_t>{4199, 0, 17});
  const Feed feeds[] = {{"x", x}, {"rows", rows}};
  const auto wanted = session_of(products_model(""))->run(feeds, {}).value();
  const std::string path = testing::TempDir() + "products.onnx";
  for (const std::string name : {"", "a", "ab", "abc"}) {
    const auto bytes = onnx::write_model_to_string(products_model(name).model());
    std::ofstream(path, std::ios::binary) << *bytes;
    for (const WeightMemory memory : {WeightMemory::automatic, WeightMemory::copy, WeightMemory::map}) {
      SessionOptions options;
      options.weights = memory;
      const auto session = Session::create(onnx::open_model(path).value(), options).value();
      for (int run = 0; run < 2; ++run) {
        const auto found = session->run(feeds, {}).value();
        EXPECT_EQ(values_of(found[0]), values_of(wanted[0])) << name;
        EXPECT_EQ(values_of(found[1]), values_of(wanted[1])) << name;
        EXPECT_EQ(values_of(found[1])[0], 4199.0f * 1024);
      }
    }
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace sdx::runtime
