#include "runtime/compile_shared.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "onnx/testing/model_builder.h"
#include "onnx/writer.h"
#include "runtime/session.h"

namespace sdx::runtime {
namespace {

using onnx::ModelBuilder;

Tensor sixes(float value) {
  Tensor tensor = Tensor::allocate(DType::f32, Shape{6}).value();
  std::fill_n(tensor.data<float>(), 6, value);
  return tensor;
}

// y = x * w
std::string product(float weight) {
  ModelBuilder model(17);
  model.input("x", DType::f32, {"n"});
  model.initializer("w", sixes(weight));
  model.node("Mul", {"x", "w"}, {"y"});
  model.output("y", DType::f32, {"n"});
  return onnx::write_model_to_string(model.model()).value();
}

class compile_shared : public testing::Test {
 protected:
  compile_shared() : folder_(testing::TempDir() + "sdx_shared_" + std::to_string(getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~compile_shared() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // As if it had been written `hours` ago.
  void write(const std::string& name, const std::string& bytes, int hours) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    if (hours > 0) age(name, hours);
  }
  void age(const std::string& name, int hours) const {
    std::filesystem::last_write_time(path(name),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  }
  std::unique_ptr<Session> load(const std::string& name = "m.onnx", const SessionOptions& options = {}) const {
    return Session::create(onnx::open_model_shared(path(name)).value(), options).value();
  }
  static float answer(Session& session) {
    const Tensor x = sixes(1);
    const Feed feeds[] = {{"x", x}};
    return session.run(feeds, {}).value()[0].tensor().values<float>()[5];
  }

  std::filesystem::path folder_;
};

TEST_F(compile_shared, sessions_of_one_file_have_one) {
  write("m.onnx", product(2), 1);
  const auto one = load(), other = load();
  EXPECT_EQ(one->compiled(), other->compiled());
  EXPECT_EQ(&one->model(), &other->model());
  EXPECT_EQ(answer(*one), 2);
  EXPECT_EQ(answer(*other), 2);
}

TEST_F(compile_shared, threads_that_load_at_once_get_the_same) {
  write("m.onnx", product(2), 1);
  std::array<std::unique_ptr<Session>, 4> sessions;
  {
    std::vector<std::jthread> threads;
    for (auto& session : sessions)
      threads.emplace_back([&] {
        session = load();
        EXPECT_EQ(answer(*session), 2);
      });
  }
  for (const auto& session : sessions) EXPECT_EQ(session->compiled(), sessions[0]->compiled());
}

TEST_F(compile_shared, other_options_have_their_own) {
  write("m.onnx", product(2), 1);
  const auto plain = load();
  std::vector<SessionOptions> others(6);
  others[0].passes.to = passes::Level::basic;
  others[1].passes.disabled = {"fold_constants"};
  others[2].symbol_values = {{"n", 6}};
  others[3].weights = WeightMemory::copy;
  others[4].references_only = true;
  others[5].pool = ThreadPool::shared(5);
  for (const SessionOptions& options : others) {
    const auto one = load("m.onnx", options), again = load("m.onnx", options);
    EXPECT_NE(one->compiled(), plain->compiled());
    EXPECT_EQ(one->compiled(), again->compiled());
    EXPECT_EQ(answer(*one), 2);
  }
}

TEST_F(compile_shared, replaced_weights_are_one_sessions) {
  write("m.onnx", product(2), 1);
  const auto one = load(), other = load();
  ASSERT_TRUE(one->replace_weights({{"w", sixes(3)}}).ok());
  EXPECT_EQ(answer(*one), 3);
  EXPECT_EQ(answer(*other), 2);
  EXPECT_EQ(answer(*load()), 2);
}

TEST_F(compile_shared, a_file_that_was_written_again_is_another) {
  write("m.onnx", product(2), 2);
  const auto before = load();
  EXPECT_EQ(answer(*before), 2);
  std::filesystem::remove(path("m.onnx"));
  write("m.onnx", product(3), 1);
  EXPECT_EQ(answer(*load()), 3);
  EXPECT_EQ(answer(*before), 2);
}

TEST_F(compile_shared, a_file_written_just_now_is_read_again) {
  write("m.onnx", product(2), 0);
  const auto one = load();
  EXPECT_NE(one->compiled(), load()->compiled());
}

TEST_F(compile_shared, external_data_that_were_written_again_are_others) {
  const std::string bytes = product(2);
  const auto model = onnx::model_from_bytes(std::as_bytes(std::span(bytes)), onnx::Ownership::copy).value();
  onnx::WriteOptions options;
  options.external_file = "w.bin";
  options.external_data_over_bytes = 0;
  ASSERT_TRUE(onnx::write_model(model->proto, path("m.onnx"), options).ok());
  ASSERT_EQ(std::filesystem::file_size(path("w.bin")), 24u);
  for (const char* name : {"m.onnx", "w.bin"}) age(name, 2);
  const auto one = load();
  EXPECT_EQ(one->compiled(), load()->compiled());
  std::filesystem::remove(path("w.bin"));
  const Tensor other = sixes(5);
  write("w.bin", std::string(reinterpret_cast<const char*>(other.bytes()), other.byte_size()), 1);
  const auto later = load();
  EXPECT_NE(later->compiled(), one->compiled());
  EXPECT_EQ(answer(*later), 5);
  EXPECT_EQ(later->compiled(), load()->compiled());
}

TEST_F(compile_shared, nothing_stays_when_the_last_session_ends) {
  write("m.onnx", product(2), 1);
  std::weak_ptr<const Compiled> compiled;
  {
    const auto one = load();
    compiled = one->compiled();
  }
  EXPECT_TRUE(compiled.expired());
  EXPECT_EQ(answer(*load()), 2);
}

}  // namespace
}  // namespace sdx::runtime
